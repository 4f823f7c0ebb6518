import { execFile, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ArtifactStore } from './artifact-store.ts';
import { filesystemStore } from './filesystem-store.ts';

const isLinux = process.platform === 'linux';
const needsLinux = isLinux ? false : 'only on Linux';
const needsRoot = isLinux && process.getuid?.() === 0 ? false : 'only root on Linux may mount';
const needsCompiler = !isLinux ? needsLinux : runs('cc', '--version') ? false : 'no C compiler `cc`';

const fixtures = join(import.meta.dirname, '../../fixtures');
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

/** The sentence of a skipped test says why it is. */
function given(reason: string | false): string {
  return reason ? ` (skipped: ${reason})` : '';
}

function runs(program: string, ...options: string[]): boolean {
  try {
    execFileSync(program, options, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function* bodyOf(bytes: number): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let left = bytes; left > 0; left -= 65_536) yield new Uint8Array(Math.min(left, 65_536)).fill(97);
}

function put(store: ArtifactStore, key: string, bytes: number): Promise<void> {
  return store.put(key, bodyOf(bytes), { contentType: 'text/plain' });
}

async function keysOf(store: ArtifactStore, prefix = ''): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(prefix)) keys.push(key);
  return keys;
}

interface Found {
  /** Names of values, each of them whole. */
  whole: Set<string>;
  partial: string[];
  temporary: string[];
}

/** What lies in the folder of a store whose names carry the hash of their bytes. */
function look(store: string): Found {
  const found: Found = { whole: new Set(), partial: [], temporary: [] };
  const folder = join(store, 'folder');
  for (const name of readdirSync(folder, { withFileTypes: true })) {
    if (name.name.startsWith('.tmp-')) {
      found.temporary.push(name.name);
      continue;
    }
    const hash = createHash('sha256').update(readFileSync(join(folder, name.name)));
    if (name.name.split('.')[1] === hash.digest('hex')) found.whole.add(name.name);
    else found.partial.push(name.name);
  }
  return found;
}

function lookIfThere(store: string): Found {
  try {
    return look(store);
  } catch {
    return { whole: new Set(), partial: [], temporary: [] };
  }
}

async function inLanes<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  async function lane(): Promise<void> {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  }
  const lanes = await Promise.allSettled([lane(), lane(), lane(), lane()]);
  for (const result of lanes) if (result.status === 'rejected') throw result.reason;
}

describe('a process that is killed', () => {
  it('100 times at random, with four writers, loses nothing it acknowledged and shows nothing partial', async () => {
    let acknowledged = 0;
    let temporary = 0;
    await inLanes(
      Array.from({ length: 100 }, (_, index) => index),
      async (index) => {
        const store = join(directory, `kill-${index}`);
        const child = spawn(process.execPath, [...writer, 'write without end', store, `r${index}`], {
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        let output = '';
        child.stdout.on('data', (data) => {
          output += data;
        });
        await once(child.stdout, 'data');
        // Not to wait for anything: the moment of the kill is to be any.
        await delay(Math.random() * 40);
        child.kill('SIGKILL');
        await once(child, 'close');
        const keys = output.split('\n').slice(0, -1);
        const found = look(store);
        expect(found.partial).toEqual([]);
        expect(keys.filter((key) => !found.whole.has(key.slice('folder/'.length)))).toEqual([]);
        acknowledged += keys.length;
        temporary += found.temporary.length;
        await expectSwept(store, found);
        rmSync(store, { recursive: true });
      },
    );
    expect(acknowledged).toBeGreaterThanOrEqual(100);
    expect(temporary).toBeGreaterThan(0);
    console.log(`100 kills: ${acknowledged} acknowledged, 0 lost, 0 partial, ${temporary} temporary files, all swept`);
  });

  /** A fresh temporary file may be another process's; one of two days is nobody's. */
  async function expectSwept(storeDirectory: string, found: Found): Promise<void> {
    const store = filesystemStore({ directory: storeDirectory });
    const keys = [...found.whole].map((name) => `folder/${name}`).sort();
    expect(await keysOf(store)).toEqual(keys);
    expect(look(storeDirectory).temporary).toEqual(found.temporary);
    const longAgo = new Date(Date.now() - 2 * 86_400_000);
    for (const name of found.temporary) utimesSync(join(storeDirectory, 'folder', name), longAgo, longAgo);
    expect(await keysOf(store)).toEqual(keys);
    expect(look(storeDirectory).temporary).toEqual([]);
  }
});

describe(`a fault at every system call of a put${given(needsCompiler)}`, () => {
  let shim = '';
  beforeAll(() => {
    if (needsCompiler) return;
    shim = join(home, 'shim.so');
    execFileSync('cc', ['-shared', '-fPIC', '-O1', '-o', shim, join(fixtures, 'filesystem-fault-shim.c'), '-ldl']);
  });

  interface Run {
    store: string;
    outcomes: string[];
    calls: string[];
  }

  let runNumber = 0;
  async function run(job: string, fault: { at?: number; mode?: string } = {}): Promise<Run> {
    const store = join(directory, `run-${runNumber++}`);
    mkdirSync(store, { mode: 0o700 });
    const child = spawn(process.execPath, [...writer, job, join(store, 'root'), 'value'], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        LD_PRELOAD: shim,
        FAULT_DIRECTORY: join(store, 'root'),
        FAULT_AT: String(fault.at ?? 0),
        FAULT_MODE: fault.mode ?? '',
        FAULT_TRACE: '1',
      },
    });
    let output = '';
    let trace = '';
    child.stdout.on('data', (data) => {
      output += data;
    });
    child.stderr.on('data', (data) => {
      trace += data;
    });
    await once(child, 'close');
    return { store: join(store, 'root'), outcomes: output.split('\n').slice(0, -1), calls: trace.trim().split('\n') };
  }

  /** The numbers of the calls: of one more than there are, so that the last run is seen to be clean. */
  async function callsOf(job: string): Promise<number[]> {
    const { outcomes, calls } = await run(job);
    expect(outcomes.every((outcome) => outcome === 'done')).toBe(true);
    for (const call of ['mkdir', 'open', 'write', 'stat', 'fsync', 'close', 'link', 'unlink']) {
      expect(calls.join()).toMatch(new RegExp(`\\d ${call}\\b`));
    }
    return Array.from({ length: calls.length + 1 }, (_, index) => index + 1);
  }

  it.skipIf(needsCompiler).for(['write once', 'write slowly'])(
    'that kills the process leaves a whole value or none, and no acknowledged one is missing (%s)',
    async (job) => {
      const numbers = await callsOf(job);
      let kills = 0;
      await inLanes(numbers, async (at) => {
        const { store, outcomes, calls } = await run(job, { at, mode: 'kill' });
        const found = lookIfThere(store);
        const isKilled = calls.length >= at;
        expect(found.partial, `call ${at}`).toEqual([]);
        expect(outcomes, `call ${at}`).toEqual(isKilled ? [] : ['done']);
        if (!isKilled) expect(found.whole.size).toBe(1);
        kills += isKilled ? 1 : 0;
      });
      expect(kills).toBeGreaterThan(15);
      console.log(`${job}: killed at each of ${kills} calls`);
    },
  );

  it.skipIf(needsCompiler).for([
    ['write once and again', 'eio', 'EIO'],
    ['write slowly', 'eio', 'EIO'],
    ['write once', 'enospc', 'ENOSPC'],
    ['write slowly', 'enospc', 'ENOSPC'],
  ] as const)('that fails the call is told, and leaves nothing behind: %s, %s', async ([job, mode, code]) => {
    const numbers = await callsOf(job);
    let told = 0;
    await inLanes(numbers, async (at) => {
      const { store, outcomes, calls } = await run(job, { at, mode });
      const found = lookIfThere(store);
      // Node itself tries a second time to make the root.
      const isMadeGood = at === 1 && mode === 'eio';
      const isTold = calls.length >= at && !isMadeGood;
      const what = `call ${at}: ${outcomes}`;
      expect(found.partial, what).toEqual([]);
      expect(found.temporary, what).toEqual([]);
      expect(found.whole.size, what).toBe(outcomes.filter((outcome) => outcome === 'done').length);
      expect(outcomes.filter((outcome) => outcome === code).length, what).toBe(isTold ? 1 : 0);
      told += isTold ? 1 : 0;
    });
    expect(told).toBeGreaterThan(15);
    console.log(`${job}: ${code} at each of ${told} calls`);
  });

  it.skipIf(needsCompiler)(
    'a power cut finds the bytes on the disk before their name, and both before the answer',
    async () => {
      const { calls } = await run('write once');
      const names = calls.map((call) => call.split(' ')[1]).join(' ');
      // The folder is made durable in the root, then the file, of which it was seen that it lies there, then its name in it.
      expect(names).toMatch(
        / mkdir stat open fsync close open stat (write )+(stat )?fsync (stat |close )*link (close |unlink |open )+fsync (unlink |close ?)+$/,
      );
    },
  );

  it.skipIf(needsCompiler)('that writes half of the bytes is made good', async () => {
    const { calls } = await run('write once');
    for (const [index, call] of calls.entries()) {
      if (!call.endsWith(' write')) continue;
      const { store, outcomes } = await run('write once', { at: index + 1, mode: 'short' });
      expect(outcomes).toEqual(['done']);
      expect(look(store).whole.size).toBe(1);
    }
  });

  it.skipIf(needsCompiler)('a file system without hard links still lets one of two puts win', async () => {
    const { store, outcomes } = await run('write twice at once', { mode: 'no-links' });
    expect(outcomes.join().split(' ').sort()).toEqual(['KEY_EXISTS', 'done']);
    expect(look(store)).toEqual({ whole: expect.objectContaining({ size: 1 }), partial: [], temporary: [] });
  });
});

describe(`a disk without room${given(needsRoot)}`, () => {
  let disk = '';
  async function mountDisk(options: string): Promise<void> {
    disk = join(directory, 'disk');
    mkdirSync(disk);
    await promisify(execFile)('mount', ['-t', 'tmpfs', '-o', `mode=700,${options}`, 'tmpfs', disk]);
  }
  afterEach(() => {
    if (disk) execFileSync('umount', [disk]);
    disk = '';
  });

  function filesIn(folder: string): string[] {
    try {
      return readdirSync(join(disk, 'store', folder));
    } catch {
      return [];
    }
  }

  it.skipIf(needsRoot)(
    'rejects a value that does not fit, leaves nothing of it and takes the next that does',
    async () => {
      await mountDisk('size=512k');
      const store = filesystemStore({ directory: join(disk, 'store') });
      await expect(put(store, 'folder/large.txt', 2_000_000)).rejects.toMatchObject({ code: 'ENOSPC' });
      expect(filesIn('folder')).toEqual([]);
      await put(store, 'folder/a.txt', 200_000);
      await expect(put(store, 'folder/b.txt', 400_000)).rejects.toMatchObject({ code: 'ENOSPC' });
      expect(filesIn('folder')).toEqual(['a.txt']);
      await store.delete(['folder/a.txt']);
      await put(store, 'folder/b.txt', 400_000);
      expect((await store.head('folder/b.txt'))?.bytes).toBe(400_000);
    },
  );

  it.skipIf(needsRoot)('tells that it is full also while the directory itself is made', async () => {
    await mountDisk('size=512k');
    writeFileSync(join(disk, 'filler'), new Uint8Array(524_288));
    const store = filesystemStore({ directory: join(disk, 'store') });
    await expect(put(store, 'folder/a.txt', 1000)).rejects.toMatchObject({ code: 'ENOSPC' });
    rmSync(join(disk, 'filler'));
    await put(store, 'folder/a.txt', 1000);
    expect(readFileSync(join(disk, 'store/.gitignore'), 'utf8')).toBe('*\n');
  });

  it.skipIf(needsRoot)('rejects when it has no place for one more file, and works again when it has', async () => {
    // Itself, the root, .gitignore, the folder and one file, whose second name counts as one here.
    await mountDisk('nr_inodes=6');
    const store = filesystemStore({ directory: join(disk, 'store') });
    await put(store, 'folder/a.txt', 1000);
    await expect(put(store, 'folder/b.txt', 1000)).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(filesIn('folder')).toEqual(['a.txt']);
    await store.delete(['folder/a.txt']);
    await put(store, 'folder/b.txt', 1000);
    expect(filesIn('folder')).toEqual(['b.txt']);
  });

  it.skipIf(needsRoot)(
    'that is read-only says so, still gives what it holds, and works again when it is not',
    async () => {
      await mountDisk('size=4m');
      const store = filesystemStore({ directory: join(disk, 'store') });
      await put(store, 'folder/a.txt', 1000);
      execFileSync('mount', ['-o', 'remount,ro', disk]);
      await expect(put(store, 'folder/b.txt', 1000)).rejects.toMatchObject({ code: 'EROFS' });
      await expect(put(store, 'other/b.txt', 1000)).rejects.toMatchObject({ code: 'EROFS' });
      await expect(store.delete(['folder/a.txt'])).rejects.toMatchObject({ code: 'EROFS' });
      expect(await keysOf(filesystemStore({ directory: join(disk, 'store') }))).toEqual(['folder/a.txt']);
      execFileSync('mount', ['-o', 'remount,rw', disk]);
      await put(store, 'folder/b.txt', 1000);
      expect(filesIn('folder').sort()).toEqual(['a.txt', 'b.txt']);
    },
  );
});

describe('limits of the process', () => {
  async function runLimited(limits: string, job: string): Promise<string> {
    const command = `${limits} && exec "$0" "$@"`;
    const { stdout } = await promisify(execFile)('sh', [
      '-c',
      command,
      process.execPath,
      ...writer,
      job,
      join(directory, 'store'),
    ]);
    return stdout.trim();
  }

  it.skipIf(needsLinux)(
    '10,000 parallel saves of 60 KB need few descriptors and never block the event loop',
    async () => {
      const result = JSON.parse(await runLimited('ulimit -n 1024', 'save many'));
      console.log(`10,000 saves: ${JSON.stringify(result)}`);
      expect(result.errors).toBe(0);
      expect(result.descriptors).toBeLessThanOrEqual(64);
      expect(result.turnP999Ms).toBeLessThan(50);
      const store = filesystemStore({ directory: join(directory, 'store') });
      // Each with its side-car.
      expect(await keysOf(store)).toHaveLength(20_000);
    },
  );

  it.skipIf(needsLinux)('a put waits while the process has no descriptor free', async () => {
    expect(await runLimited('ulimit -n 64', 'write while descriptors are short')).toBe('done');
  });

  it.skipIf(needsLinux)('a put tells that the process has no descriptor free when none comes free', async () => {
    expect(await runLimited('ulimit -n 64', 'write without descriptors')).toBe('EMFILE');
  });

  it.skipIf(needsLinux)('500 streams that are read in turns need few descriptors', async () => {
    expect(JSON.parse(await runLimited('ulimit -n 300', 'read many'))).toEqual({ errors: 0, held: 0 });
  });

  it.skipIf(needsLinux)('a generous umask opens nothing to other users', async () => {
    expect(await runLimited('umask 000', 'write once')).toBe('done');
    const open = execFileSync('find', [join(directory, 'store'), '-perm', '/077']);
    expect(String(open)).toBe('');
  });
});

describe('processes that make the root at once', () => {
  it('all write to it', async () => {
    const outcomes: string[] = [];
    for (let round = 0; round < 5; round++) {
      const root = join(directory, `root-${round}`);
      const writers = Array.from({ length: 8 }, (_, index) =>
        promisify(execFile)(process.execPath, [...writer, 'write once', root, `value-${index}`]),
      );
      for (const { stdout } of await Promise.all(writers)) outcomes.push(stdout.trim());
      expect(readFileSync(join(root, '.gitignore'), 'utf8')).toBe('*\n');
      expect(look(root).whole.size).toBe(8);
    }
    expect(outcomes).toEqual(Array.from({ length: 40 }, () => 'done'));
  });

  it.skipIf(needsRoot)('need no more than the way through the directory above', async () => {
    // Of root, and nobody else may look around in it.
    const above = mkdtempSync(join(tmpdir(), 'filesystem-above-'));
    const copy = join(above, 'copy');
    try {
      mkdirSync(join(above, 'root'));
      for (const path of [above, join(above, 'root')]) chmodSync(path, path === above ? 0o711 : 0o700);
      chownSync(join(above, 'root'), 65534, 65534);
      // The source may lie where only root comes.
      cpSync(join(import.meta.dirname, '../../src'), join(copy, 'src'), { recursive: true });
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
  // In memory where there is such a place: a disk needs half a minute to make them.
  const place = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  let crowded = '';
  beforeAll(() => {
    crowded = mkdtempSync(join(place, 'filesystem-crowded-'));
  });
  afterAll(() => rmSync(crowded, { recursive: true, force: true }));

  it('is listed whole and in order, page by page, and does not block the event loop', async () => {
    const store = filesystemStore({ directory: crowded });
    await put(store, 'folder/seed.txt', 1);
    const names = Array.from({ length: 120_000 }, (_, index) => `n${(index * 7919) % 120_000}`);
    for (const name of names) writeFileSync(join(crowded, 'folder', name), '');
    const turnsMs: number[] = [];
    let last = performance.now();
    let processor = process.cpuUsage();
    const meter = setInterval(() => {
      const { user, system } = process.cpuUsage(processor);
      // On a busy machine a turn is as long as others make it wait: what this process did in it counts.
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
    console.log(
      `120,001 names: longest turns ${turnsMs
        .slice(-3)
        .map((turn) => turn.toFixed(0))
        .join(', ')} ms`,
    );
    expect(turnsMs[Math.floor(turnsMs.length * 0.999)]).toBeLessThan(50);
  });
});

describe('links that are swapped while a value is read', () => {
  // In a thread of its own, so that it hits every moment of the read.
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

  it('leak nothing of what they lead to', async () => {
    const root = join(directory, 'store');
    const outside = join(directory, 'outside');
    mkdirSync(outside);
    for (const name of ['a.txt', 'b.txt']) writeFileSync(join(outside, name), 'secret');
    const store = filesystemStore({ directory: root });
    for (const key of ['folder/a.txt', 'folder/b.txt']) {
      async function* ours(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
        yield new TextEncoder().encode('ours');
      }
      await store.put(key, ours(), { contentType: 'text/plain' });
    }
    const worker = new Worker(swapper, { eval: true, workerData: { root, outside } });
    await once(worker, 'message');
    const seen: Record<string, number> = {};
    const endsAt = performance.now() + 8000;
    let tries = 0;
    async function readAgainAndAgain(key: string): Promise<void> {
      while (tries < 40_000 && performance.now() < endsAt) {
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
    console.log(`${tries} reads while links were swapped: ${JSON.stringify(seen)}`);
    expect(seen).not.toHaveProperty('secret');
    expect(seen).toMatchObject({ ours: expect.any(Number), UNSAFE_FILE: expect.any(Number) });
  });
});
