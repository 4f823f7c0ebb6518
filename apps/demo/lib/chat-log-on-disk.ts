import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { chatIsFull } from './chat-changes';
import type { ChatLog } from './chat-log';
import { type DiskRoom, isDiskFull } from './disk-room';
import { fromLine, toLine } from './event-line';
import { RequestError } from './request-error';

/** A chat that is larger takes no more: reading it at each request would cost too much. */
const MAX_LOG_BYTES = 16 * 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * Chats as `<folder>/<chat>/events.jsonl`: one event a line, written to the end and synced. An append rejects with a `RequestError`
 * when the disk has no room, because the visitor has to know.
 */
export function chatLogOnDisk(folder: string, { room }: { room?: DiskRoom } = {}): ChatLog {
  const pathOf = (chatKey: string) => join(/* turbopackIgnore: true */ folder, chatKey, 'events.jsonl');

  return {
    async read(chatKey) {
      const file = await openIfThere(pathOf(chatKey));
      if (!file) return undefined;
      try {
        const text = await file.readFile('utf8');
        return text.split('\n').flatMap((line) => (line === '' ? [] : (fromLine(line) ?? [])));
      } finally {
        await file.close();
      }
    },
    async append(chatKey, events) {
      if (events.length === 0) return;
      const lines = events.map((event) => `${toLine(event)}\n`).join('');
      try {
        await room?.take(Buffer.byteLength(lines));
        await mkdir(join(/* turbopackIgnore: true */ folder, chatKey), { recursive: true, mode: 0o700 });
        await appendTo(pathOf(chatKey), lines);
      } catch (error) {
        throw isDiskFull(error) ? diskIsFull(error) : error;
      }
    },
    async delete(chatKey) {
      await rm(join(/* turbopackIgnore: true */ folder, chatKey), { recursive: true, force: true });
    },
  };
}

const diskIsFull = (cause: unknown) =>
  new RequestError(
    'storage_full',
    'The disk of this server is full, so this chat cannot be saved. Try again later, or delete a chat that you no longer need.',
    { cause },
  );

async function appendTo(path: string, lines: string): Promise<void> {
  const file = await open(path, 'a+', 0o600);
  try {
    const { size } = await file.stat();
    if (size + lines.length > MAX_LOG_BYTES) throw chatIsFull();
    // A process that died while it wrote, or a full disk, left half a line. The next event must not become its end.
    const start = (await endsWithNewline(file, size)) ? '' : '\n';
    await file.appendFile(start + lines);
    await file.datasync();
  } finally {
    await file.close();
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function endsWithNewline(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return true;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] === NEWLINE;
}
