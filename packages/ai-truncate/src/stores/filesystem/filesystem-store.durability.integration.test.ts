import { execFile, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { compileFaultShim, type Fault, faultEnvironment, whyNoFaults } from '../../../fixtures/fault-shim.ts';
import { keysOf, put } from '../../../fixtures/filesystem-home.ts';
import { lookIntoStore } from '../../../fixtures/hashed-values.ts';
import { filesystemStore } from './filesystem-store.ts';

const isLinux = process.platform === 'linux';
const needsLinux = isLinux ? false : 'only on Linux';
const needsRoot =
  isLinux && process.getuid?.() === 0 ? false : 'only root on Linux can change the owner of a directory';
const needsCompiler = whyNoFaults() ?? false;

const fixtures = join(import.meta.dirname, '../../../fixtures');
const writer = ['--disable-warning=ExperimentalWarning', join(fixtures, 'filesystem-writer.ts')];

let home = '';
let directory = '';
beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'filesystem-durability-')));
});
beforeEach(() => {
  directory = mkdtempSync(join(home, 'case-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The reason why a test is skipped, as part of its name. */
function given(reason: string | false): string {
  return reason ? ` (skipped: ${reason})` : '';
}

describe(`a system call that fails${given(needsCompiler)}`, () => {
  let shim = '';
  beforeAll(() => {
    if (!needsCompiler) shim = compileFaultShim(home);
  });

  interface Run {
    store: string;
    outcomes: string[];
    calls: string[];
  }

  let runNumber = 0;
  async function run(job: string, fault: Pick<Fault, 'at' | 'mode'> = {}): Promise<Run> {
    const above = join(directory, `run-${runNumber++}`);
    mkdirSync(above, { mode: 0o700 });
    const store = join(above, 'root');
    const env = faultEnvironment({ shim, directory: store, ...fault });
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [...writer, job, store], { env });
    return { store, outcomes: stdout.split('\n').slice(0, -1), calls: stderr.trim().split('\n') };
  }

  test.skipIf(needsCompiler)(
    'a power cut finds the bytes on the disk before their name, and both before the put resolves',
    async () => {
      const { calls } = await run('write once');
      const names = calls.map((call) => call.split(' ')[1]).join(' ');
      // First the folder becomes durable in the root, then the file, whose path was checked, then its name in the folder.
      expect(names).toMatch(
        / mkdir stat open fsync close open stat (write )+(stat )?fsync (stat |close )*link (close |unlink |open )+fsync (unlink |close ?)+$/,
      );
    },
  );

  test.skipIf(needsCompiler)('a write of only half of the bytes is completed', async () => {
    const { calls } = await run('write once');
    for (const [index, call] of calls.entries()) {
      if (!call.endsWith(' write')) continue;
      const { store, outcomes } = await run('write once', { at: index + 1, mode: 'short' });
      expect(outcomes).toEqual(['done']);
      expect(lookIntoStore(store).whole.size).toBe(1);
    }
  });

  test.skipIf(needsCompiler)('a file system without hard links still lets only one of two puts win', async () => {
    const { store, outcomes } = await run('write twice at once', { mode: 'no-links' });
    expect(outcomes.join().split(' ').sort()).toEqual(['KEY_EXISTS', 'done']);
    expect(lookIntoStore(store)).toEqual({ whole: expect.objectContaining({ size: 1 }), partial: [], temporary: [] });
  });
});

// Files that need no disk are written to memory if the system has such a place, because a disk needs half a minute.
const place = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

describe('limits of the process', () => {
  let volatile = '';
  beforeEach(() => {
    volatile = mkdtempSync(join(place, 'filesystem-limits-'));
  });
  afterEach(() => rmSync(volatile, { recursive: true, force: true }));

  async function runLimited(limits: string, job: string): Promise<string> {
    const command = `${limits} && exec "$0" "$@"`;
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      command,
      process.execPath,
      ...writer,
      job,
      join(volatile, 'store'),
    ]);
    return stdout.trim();
  }

  test.skipIf(needsLinux)('2,000 parallel saves of 60 KB need few descriptors', async () => {
    const result = JSON.parse(await runLimited('ulimit -n 1024', 'save many'));
    expect(result.errors).toBe(0);
    expect(result.descriptors).toBeLessThanOrEqual(64);
    const store = filesystemStore({ directory: join(volatile, 'store') });
    // Each value has a side-car.
    expect(await keysOf(store)).toHaveLength(4000);
  });

  test.skipIf(needsLinux)('a put waits while the process has no descriptor free', async () => {
    expect(await runLimited('ulimit -n 64', 'write while descriptors are short')).toBe('done');
  });

  test.skipIf(needsLinux)('a put fails with a clear error when no descriptor becomes free', async () => {
    expect(await runLimited('ulimit -n 64', 'write without descriptors')).toBe('EMFILE');
  });

  test.skipIf(needsLinux)('500 streams that are read in turns need few descriptors', async () => {
    expect(JSON.parse(await runLimited('ulimit -n 300', 'read many'))).toEqual({ errors: 0, held: 0 });
  });

  test.skipIf(needsLinux)('a generous umask gives other users no access', async () => {
    expect(await runLimited('umask 000', 'write once')).toBe('done');
    const open = execFileSync('find', [join(volatile, 'store'), '-perm', '/077']);
    expect(String(open)).toBe('');
  });
});

describe('several processes that make the root at once', () => {
  test('can all write to it', async () => {
    const outcomes: string[] = [];
    for (let round = 0; round < 2; round++) {
      const root = join(directory, `root-${round}`);
      const writers = Array.from({ length: 8 }, (_, index) =>
        promisify(execFile)(process.execPath, [...writer, 'write once', root, String(index)]),
      );
      for (const { stdout } of await Promise.all(writers)) outcomes.push(stdout.trim());
      expect(readFileSync(join(root, '.gitignore'), 'utf8')).toBe('*\n');
      expect(lookIntoStore(root).whole.size).toBe(8);
    }
    expect(outcomes).toEqual(Array.from({ length: 16 }, () => 'done'));
  });

  test.skipIf(needsRoot)('need only the permission to pass through the directory above', async () => {
    // It belongs to root, and other users may not list it.
    const above = mkdtempSync(join(tmpdir(), 'filesystem-above-'));
    const copy = join(above, 'copy');
    try {
      mkdirSync(join(above, 'root'));
      for (const path of [above, join(above, 'root')]) chmodSync(path, path === above ? 0o711 : 0o700);
      chownSync(join(above, 'root'), 65534, 65534);
      // The source may be in a place that only root can open.
      cpSync(join(import.meta.dirname, '../../../src'), join(copy, 'src'), { recursive: true });
      cpSync(fixtures, join(copy, 'fixtures'), { recursive: true });
      writeFileSync(join(copy, 'package.json'), '{"type":"module"}');
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [writer[0] ?? '', join(copy, 'fixtures/filesystem-writer.ts'), 'write once', join(above, 'root')],
        { uid: 65534, gid: 65534, cwd: copy },
      );
      expect(stdout.trim()).toBe('done');
    } finally {
      rmSync(above, { recursive: true, force: true });
    }
  });
});

describe('a directory of very many names', () => {
  let crowded = '';
  beforeAll(() => {
    crowded = mkdtempSync(join(place, 'filesystem-crowded-'));
  });
  afterAll(() => rmSync(crowded, { recursive: true, force: true }));

  test('is listed completely and in order, page by page, and does not block the event loop', async () => {
    const store = filesystemStore({ directory: crowded });
    await put(store, 'folder/seed.txt', 'seed');
    const names = Array.from({ length: 120_000 }, (_, index) => `n${(index * 7919) % 120_000}`);
    for (const name of names) writeFileSync(join(crowded, 'folder', name), '');
    const turnsMs: number[] = [];
    let last = performance.now();
    let processor = process.cpuUsage();
    const meter = setInterval(() => {
      const { user, system } = process.cpuUsage(processor);
      // On a busy machine, a turn includes the time of other processes, so only the CPU time of this process counts.
      turnsMs.push(Math.min(performance.now() - last, (user + system) / 1000));
      last = performance.now();
      processor = process.cpuUsage();
    }, 1);
    const keys = await keysOf(store, 'folder/').finally(() => clearInterval(meter));
    expect(keys.length).toBe(120_001);
    expect(
      keys.join() ===
        [...names, 'seed.txt']
          .map((name) => `folder/${name}`)
          .sort()
          .join(),
    ).toBe(true);
    turnsMs.sort((a, b) => a - b);
    expect(turnsMs[Math.floor(turnsMs.length * 0.999)]).toBeLessThan(50);
  });
});

describe('links that are swapped while a value is read', () => {
  // In its own thread, so that it runs at every moment of the read.
  const swapper = `
    const { workerData, parentPort } = require('node:worker_threads');
    const { renameSync, symlinkSync, unlinkSync, writeFileSync } = require('node:fs');
    const attempt = (action) => { try { action(); } catch {} };
    const { root, outside } = workerData;
    parentPort.postMessage('ready');
    for (;;) {
      attempt(() => { symlinkSync(outside + '/a.txt', root + '/folder/link'); renameSync(root + '/folder/link', root + '/folder/b.txt'); });
      attempt(() => { writeFileSync(root + '/folder/copy', 'ours'); renameSync(root + '/folder/copy', root + '/folder/b.txt'); });
      attempt(() => { renameSync(root + '/folder', root + '/away'); symlinkSync(outside, root + '/folder'); });
      attempt(() => { unlinkSync(root + '/folder'); renameSync(root + '/away', root + '/folder'); });
    }`;

  test('never expose the files that they lead to', async () => {
    const root = join(directory, 'store');
    const outside = join(directory, 'outside');
    mkdirSync(outside);
    for (const name of ['a.txt', 'b.txt']) writeFileSync(join(outside, name), 'secret');
    const store = filesystemStore({ directory: root });
    for (const key of ['folder/a.txt', 'folder/b.txt']) await put(store, key, 'ours');
    const worker = new Worker(swapper, { eval: true, workerData: { root, outside } });
    await once(worker, 'message');
    const seen: Record<string, number> = {};
    let tries = 0;
    async function readAgainAndAgain(key: string): Promise<void> {
      while (tries < 10_000) {
        tries++;
        const text = await store.get(key).then(
          async (stream) => (stream ? await new Response(stream).text() : 'nothing'),
          (error: { code?: string }) => String(error.code ?? error),
        );
        seen[text] = (seen[text] ?? 0) + 1;
      }
    }
    await Promise.all(['folder/a.txt', 'folder/b.txt', 'folder/a.txt', 'folder/b.txt'].map(readAgainAndAgain));
    await worker.terminate();
    expect(seen).not.toHaveProperty('secret');
    expect(seen).toMatchObject({ ours: expect.any(Number), UNSAFE_FILE: expect.any(Number) });
  });
});
