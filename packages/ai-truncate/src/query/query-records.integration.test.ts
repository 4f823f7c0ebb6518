import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const script = join(import.meta.dirname, '../../fixtures/query-peak-memory.ts');
// The young generation of V8 grows to 100 MB with whatever makes many short-lived strings; 8 MB show what is ours.
const flags = [
  '--expose-gc',
  '--max-semi-space-size=8',
  '--max-old-space-size=64',
  '--disable-warning=ExperimentalWarning',
];

// The promise is 50 ms; on a busy machine the collector of V8 takes some more. What is done in one step takes hundreds.
const LONGEST_MS = 80;

async function run(name: string): Promise<{ megabytes: number; longestMs: number }> {
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, name]);
  return JSON.parse(stdout);
}

describe.skipIf(!existsSync('/proc/self/clear_refs'))('a query over 200 MB, under a heap of 64 MB', () => {
  it.each([
    'filter and group JSON',
    'filter and group NDJSON',
    'filter and group CSV',
    'sort JSON',
    'sort CSV with line breaks in quotes',
    'a group for each record',
    'contains in text of JSON',
    'contains in text of NDJSON',
    'contains in text of CSV',
    'lists of 300,000 texts',
    'lists of 300,000 texts, asked 20 times',
    'lists of 300,000 dates, asked for a day',
    'integers beyond 2^53',
    'keys with escapes',
  ])('needs at most 64 MB and leaves the event loop its turns: %s', async (name) => {
    const { megabytes, longestMs } = await run(name);
    expect(megabytes).toBeLessThanOrEqual(64);
    expect(longestMs).toBeLessThan(LONGEST_MS);
  });

  // A record is parsed as a whole: its bytes, its text and its value stand side by side.
  it.each(['records of 7 MB', 'records of 900,000 numbers', 'records of 24,000 keys'])(
    'leaves the event loop its turns with giant records: %s',
    async (name) => {
      expect((await run(name)).longestMs).toBeLessThan(LONGEST_MS);
    },
  );
});
