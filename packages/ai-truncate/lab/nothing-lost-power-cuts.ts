import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type FoundValues, lookIntoStore } from '../fixtures/hashed-values.ts';
import { inTemporaryDirectory } from '../fixtures/in-temporary-directory.ts';
import { unlessMissing } from '../src/stores/filesystem/open-files.ts';
import { acknowledgedTally } from './acknowledged-tally.ts';
import { run, whyNoDisks, withDisk } from './disk.ts';
import type { LabTrial } from './lab-promise.ts';
import type { WriteReport } from './nothing-lost-writer.ts';
import { killWriters } from './writer-process.ts';

const imageBytes = 96 * 1024 * 1024;
const reportsPerCut = 40;

export const powerCuts: LabTrial = {
  name: 'a power cut, simulated',
  target: '0 acknowledged values lost, 0 partial',
  async run(size) {
    const reason = whyNoDisks() ?? whyNoImages();
    if (reason !== undefined) return { status: 'skipped', reason };
    const cuts = { full: 60, small: 2 }[size];
    return inTemporaryDirectory(async (home) => {
      const tally = acknowledgedTally();
      let plainLost = 0;
      for (let cut = 0; cut < cuts; cut++) {
        const { reports, found, hasPlainFile } = await cutPower(join(home, `cut-${cut}`));
        tally.add(reports, found);
        if (!hasPlainFile) plainLost++;
      }
      return {
        // A simulated cut that preserves data that was never made durable is not a power cut.
        status: tally.isMet(cuts * reportsPerCut) && plainLost === cuts ? 'met' : 'missed',
        how:
          `${cuts} cuts: an ext4 that commits nothing by itself, copied after 2 writers put and 2 saved, repaired and mounted; ` +
          `${plainLost} lost a file that was only written`,
        measured: tally.measured(),
      };
    });
  },
};

interface Cut {
  reports: WriteReport[];
  found: FoundValues;
  /** Whether a file still exists that was written but not made durable. */
  hasPlainFile: boolean;
}

/** At that moment, the device holds the data that a machine finds when its power returns. */
async function cutPower(home: string): Promise<Cut> {
  const image = join(home, 'image');
  const copy = join(home, 'copy');
  const disk = join(home, 'disk');
  const plain = join(disk, 'plain');
  const store = join(disk, 'store');
  await mkdir(disk, { recursive: true });
  await writeFile(image, '');
  await truncate(image, imageBytes);
  await run('mkfs.ext4', ['-q', '-F', image]);
  const reports = await withDisk({ directory: disk, options: ['-o', 'loop,commit=300', image] }, async () => {
    const written = await killWriters(store, { afterReports: reportsPerCut });
    await writeFile(plain, 'written');
    await run('cp', ['--sparse=always', image, copy]);
    return written;
  });
  await repair(copy);
  const cut = await withDisk({ directory: disk, options: ['-o', 'loop', copy] }, async () => ({
    reports,
    found: lookIntoStore(store),
    hasPlainFile: (await unlessMissing(readFile(plain, 'utf8'))) === 'written',
  }));
  await rm(home, { recursive: true });
  return cut;
}

async function repair(image: string): Promise<void> {
  await run('e2fsck', ['-f', '-y', image]).catch((error: { code?: unknown }) => {
    // Exit code 1 means that it repaired something.
    if (error.code !== 1) throw error;
  });
}

function whyNoImages(): string | undefined {
  try {
    execFileSync('mkfs.ext4', ['-V'], { stdio: 'ignore' });
    execFileSync('e2fsck', ['-V'], { stdio: 'ignore' });
    execFileSync('losetup', ['--find'], { stdio: 'ignore' });
  } catch {
    return 'makes a disk in a file, which needs `mkfs.ext4`, `e2fsck` and a loop device';
  }
}
