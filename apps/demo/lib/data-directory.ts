import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment } from './environment';
import { oncePerProcess } from './once-per-process';

/**
 * Where this demo keeps what lies on a disk: `.data` beside it, or on Vercel, where only the temporary directory can be
 * written, a private one of this instance.
 */
export function dataDirectory(): string {
  if (!environment().isVercel) return '.data';
  return oncePerProcess('data-directory', () => mkdtempSync(join(tmpdir(), 'ai-truncate-demo-')));
}

/** What a visitor should know of the place where the chat is kept; nothing when it lasts. */
export function storageNotice(): string | undefined {
  const { isVercel, blob } = environment();
  if (!isVercel || blob) return undefined;
  // Pages are another function on Vercel, with a disk of its own, so a page that is reloaded does not find the chat.
  return 'No Blob store is connected: this chat is lost when you reload it, and its tool outputs when the server sleeps.';
}
