import { type FileHandle, mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { chatIsFull } from './chat-changes';
import type { ChatLog } from './chat-log';
import { fromLine, toLine } from './event-line';

/** A chat that is larger takes no more: reading it at each request would cost too much. */
const MAX_LOG_BYTES = 16 * 1024 * 1024;
const NEWLINE = 0x0a;

/** Chats as `<folder>/<chat>/events.jsonl`: one event a line, written to the end and synced. */
export function chatLogOnDisk(folder: string): ChatLog {
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
      await mkdir(join(/* turbopackIgnore: true */ folder, chatKey), { recursive: true, mode: 0o700 });
      const file = await open(pathOf(chatKey), 'a+', 0o600);
      try {
        const { size } = await file.stat();
        const lines = events.map((event) => `${toLine(event)}\n`).join('');
        if (size + lines.length > MAX_LOG_BYTES) throw chatIsFull();
        // A process that died while it wrote left half a line: the next event must not become its end.
        const start = (await endsWithNewline(file, size)) ? '' : '\n';
        await file.appendFile(start + lines);
        await file.datasync();
      } finally {
        await file.close();
      }
    },
    async delete(chatKey) {
      await rm(join(/* turbopackIgnore: true */ folder, chatKey), { recursive: true, force: true });
    },
  };
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
