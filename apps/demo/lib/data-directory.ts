import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment } from './environment';

let known: string | undefined;

/**
 * Where this demo keeps what lies on a disk: `.data` beside it, or on Vercel, where only the temporary directory can be
 * written, a private one of this instance.
 */
export function dataDirectory(): string {
  known ??= environment().isVercel ? mkdtempSync(join(tmpdir(), 'ai-truncate-demo-')) : '.data';
  return known;
}

/** What a visitor should know of the place where the chat is kept; nothing when it lasts. */
export function storageNotice(): string | undefined {
  const { isVercel, blobToken } = environment();
  if (!isVercel || blobToken) return undefined;
  return 'No Blob store is connected: this chat and its tool outputs are lost when the server sleeps.';
}
