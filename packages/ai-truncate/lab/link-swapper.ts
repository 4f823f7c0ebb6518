// Replaces a file and its folder by links, and puts the real ones back, again and again. It runs in its own thread, so that it
// hits every moment of a read.
import { renameSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';

const { root, outside } = workerData as { root: string; outside: string };
const folder = join(root, 'folder');
const away = join(root, 'away');
const file = join(folder, 'b.txt');
const swaps = [
  () => replaceFile(join(folder, 'link'), (path) => symlinkSync(join(outside, 'a.txt'), path)),
  () => replaceFile(join(folder, 'copy'), (path) => writeFileSync(path, 'ours')),
  () => {
    renameSync(folder, away);
    symlinkSync(outside, folder);
  },
  () => {
    unlinkSync(folder);
    renameSync(away, folder);
  },
];

parentPort?.postMessage('ready');
while (true) for (const swap of swaps) attempt(swap);

function replaceFile(path: string, make: (path: string) => void): void {
  make(path);
  renameSync(path, file);
}

/** The store works in the same folder, so the file may be gone. */
function attempt(swap: () => void): void {
  try {
    swap();
  } catch {
    // The next swap follows at once.
  }
}
