import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { lookIntoStore } from '../fixtures/hashed-values.ts';
import { inTemporaryDirectory } from '../fixtures/in-temporary-directory.ts';
import { thousands } from '../src/text/utf.ts';
import { acknowledgedTally } from './acknowledged-tally.ts';
import { inLanes } from './in-lanes.ts';
import type { LabTrial } from './lab-promise.ts';
import { killWriters, runWriter } from './writer-process.ts';

const reportsPerKill = 10;

export const randomKills: LabTrial = {
  name: 'kill -9 at random',
  target: '0 acknowledged values lost, 0 partial files under a final name',
  run(size) {
    const kills = { full: 1000, small: 20 }[size];
    return inTemporaryDirectory(async (home) => {
      // A Node process this short spends most of its time on compiling. Here only the first process compiles, and it may end by
      // itself.
      const environment = { ...process.env, NODE_COMPILE_CACHE: join(home, 'compiled') };
      await runWriter({ directory: join(home, 'first'), way: 'save', environment });
      const tally = acknowledgedTally();
      let midway = 0;
      await inLanes(
        Array.from({ length: kills }, (_, index) => join(home, `store-${index}`)),
        async (directory) => {
          const reports = await killWriters(directory, { afterReports: reportsPerKill, environment });
          const found = lookIntoStore(directory);
          tally.add(reports, found);
          if (found.temporary.length > 0) midway++;
          await rm(directory, { recursive: true });
        },
      );
      return {
        // Kills that hit no write would prove nothing.
        status: tally.isMet(kills * reportsPerKill) && midway > kills / 10 ? 'met' : 'missed',
        how: `${thousands(kills)} kills, ${thousands(midway)} of them in the middle of a write; 2 writers that put, 2 that save`,
        measured: tally.measured(),
      };
    });
  },
};
