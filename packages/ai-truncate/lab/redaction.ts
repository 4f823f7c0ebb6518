import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { log, MEGABYTE, records } from '../bench/inputs.ts';
import { extraMegabytes } from '../bench/measure.ts';
import { corpusNames, readCorpus } from '../fixtures/corpus.ts';
import { watchTurns } from '../fixtures/longest-turn.ts';
import { secretMakers, seededRandom } from '../fixtures/planted-secrets.ts';
import { leaksIn, passWithSecrets, someSecrets, wayNames } from '../fixtures/redaction-trial.ts';
import { scopedArtifacts } from '../src/artifacts/scoped-artifacts.ts';
import { finished } from '../src/pace.ts';
import { memoryStore } from '../src/stores/memory-store.ts';
import { type RedactedCounts, Redaction, redactInSteps } from '../src/text/redaction.ts';
import { type RedactOption, redactorOf } from '../src/text/redactor.ts';
import { secretPatterns } from '../src/text/secret-patterns.ts';
import { thousands } from '../src/text/utf.ts';
import { truncateOutput } from '../src/tools/truncate-output.ts';
import type { LabPromise, LabTrial } from './lab-promise.ts';

const SECRETS_PER_OUTPUT = 5;

const planted: LabTrial = {
  name: 'planted secrets in texts, values, streams, errors and MCP parts',
  target: '0 of 1,000 seen in any artifact, preview, event, log or error',
  async run(size) {
    const count = { full: 1000, small: 60 }[size];
    const ways = new Set<string>();
    let plantedCount = 0;
    const leaks: string[] = [];
    for (let seed = 0; plantedCount < count; seed++) {
      const random = seededRandom(seed);
      const way = wayNames[seed % wayNames.length] as string;
      const secrets = someSecrets(random, SECRETS_PER_OUTPUT);
      const seen = await passWithSecrets(way, random, secrets);
      leaks.push(...leaksIn(seen, secrets).map(() => `${way}, seed ${seed}`));
      plantedCount += secrets.length;
      ways.add(way);
    }
    return {
      status: leaks.length === 0 ? 'met' : 'missed',
      how: `${Object.keys(secretMakers).length} kinds, made from the formats of their vendors by code that does not import the patterns; ${ways.size} ways of an output, random places, depths and chunks`,
      measured: `${leaks.length} seen of ${thousands(plantedCount)}${leaks[0] ? `; first: ${leaks[0]}` : ''}`,
    };
  },
};

const LINES_PER_HIT = 100_000;
const SOURCE = /\.(?:[cm]?[jt]sx?|json|md|css|html|ya?ml)$/;
/** A minified line of this size says little about lines. */
const MAX_FILE_CHARS = 3_000_000;

const falseHits: LabTrial = {
  name: 'false hits in the corpus and in real source',
  target: 'at most 1 hit per 100,000 lines',
  async run(size) {
    const most = { full: 4_000_000, small: 100_000 }[size];
    const redactor = redactorOf(secretPatterns);
    const counts: RedactedCounts = {};
    let lines = 0;
    let files = 0;
    for (const text of textsOf(join(import.meta.dirname, '../../../node_modules/.pnpm'))) {
      finished(redactInSteps(text, redactor, { counts }));
      lines += text.split('\n').length;
      files++;
      if (lines >= most) break;
    }
    const hits = Object.values(counts).reduce((sum, count) => sum + count, 0);
    return {
      status: hits * LINES_PER_HIT <= lines ? 'met' : 'missed',
      how: `the corpus of the tests, and ${thousands(files)} files of installed npm packages; examples in their documentation count as hits`,
      measured: `${hits} hits in ${thousands(lines)} lines: ${JSON.stringify(counts)}`,
    };
  },
};

function* textsOf(directory: string): Generator<string> {
  for (const name of corpusNames) yield readCorpus(name);
  if (existsSync(directory)) yield* sourcesIn(directory);
}

function* sourcesIn(directory: string): Generator<string> {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory()) yield* sourcesIn(path);
    else if (entry.isFile() && SOURCE.test(entry.name)) {
      const text = readFileSync(path, 'utf8');
      if (text.length <= MAX_FILE_CHARS) yield text;
    }
  }
}

const speed: LabTrial = {
  name: 'a log through the built-in patterns',
  target: 'at least 200 MB in a second of the processor',
  async run(size) {
    const logs = corpusNames.filter((name) => name.endsWith('.log')).map(readCorpus);
    const text = Buffer.from(logs.join('').repeat({ full: 40, small: 8 }[size])).toString();
    const megabytes = text.length / MEGABYTE;
    const redactor = redactorOf(secretPatterns);
    const best = { whole: 0, chunks: 0 };
    for (let round = 0; round < 6; round++) {
      best.whole = Math.max(best.whole, megabytes / secondsOf(() => finished(redactInSteps(text, redactor))));
      best.chunks = Math.max(
        best.chunks,
        megabytes / secondsOf(() => redactInChunks(text, redactorOf(secretPatterns))),
      );
    }
    return {
      status: Math.min(best.whole, best.chunks) >= 200 ? 'met' : 'missed',
      how: `${thousands(Math.round(megabytes))} MB of the five logs of the corpus, ${secretPatterns.length} kinds, the best of 6 rounds`,
      measured: `${best.whole.toFixed(0)} MB/s as one text, ${best.chunks.toFixed(0)} MB/s in chunks of 64 KB`,
    };
  },
};

function redactInChunks(text: string, redactor: ReturnType<typeof redactorOf>): void {
  const redaction = new Redaction(redactor, { counts: {} });
  for (let at = 0; at < text.length; at += 65_536) finished(redaction.push(text.slice(at, at + 65_536)));
  finished(redaction.finish());
}

function secondsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

const memory: LabTrial = {
  name: 'a stream with secrets, under a heap of 64 MB',
  target: 'at most 40 MB extra, no secret saved',
  flags: ['--max-semi-space-size=8', '--max-old-space-size=64'],
  async run(size) {
    const megabytes = { full: 512, small: 64 }[size];
    const [secret] = someSecrets(seededRandom(1), 1);
    const piece = `${log(MEGABYTE, { columns: 64 })}\n${secret?.text}\n`;
    const counts: RedactedCounts = {};
    const extra = await extraMegabytes(async () => {
      const options = {
        store: discardingStore(),
        scope: 'lab',
        redact: secretPatterns,
        toolName: 'read',
        toolCallId: 'a',
      };
      await truncateOutput(repeated(piece, megabytes), {
        ...options,
        onTruncate: ({ redacted }) => Object.assign(counts, redacted),
      });
    });
    if (extra === undefined) return { status: 'skipped', reason: 'only Linux reports the peak memory of a process' };
    const [found = 0] = Object.values(counts);
    return {
      status: extra <= 40 && found === megabytes ? 'met' : 'missed',
      how: `truncateOutput of an async generator of ${megabytes} MB, a store that reads and forgets, a young generation of at most 24 MB; peak RSS`,
      measured: `${extra.toFixed(0)} MB extra, ${thousands(found)} of ${thousands(megabytes)} secrets replaced`,
    };
  },
};

async function* repeated(piece: string, count: number): AsyncGenerator<string> {
  for (let index = 0; index < count; index++) yield piece;
}

function discardingStore() {
  const store = memoryStore();
  return {
    ...store,
    async put(_: string, body: AsyncIterable<Uint8Array>) {
      for await (const _chunk of body);
    },
  };
}

const LONGEST_TURN_MS = 50;

const turns: LabTrial = {
  name: 'large outputs and hostile texts while the event loop turns',
  target: '99.9 % of the turns take at most 50 ms',
  async run(size) {
    const factor = { full: 8, small: 1 }[size];
    const parts = ['eyJ-', 'eyJa.eyJ-', '-----BEGIN PRIVATE KEY-----', '://a:', 'sk-', 'Authorization: ', 'a '];
    const own: RedactOption = [...secretPatterns, '[\\w ]{10,100}z', '(?s)a.{200}\\d', '[0-9a-f]{64}'];
    const outputs: [unknown, RedactOption][] = [
      ...parts.map((part): [unknown, RedactOption] => [part.repeat((factor * MEGABYTE) / part.length), secretPatterns]),
      [log(factor * MEGABYTE, { columns: 80 }), own],
      [records(factor * MEGABYTE), secretPatterns],
      [records(factor * MEGABYTE), own],
    ];
    const all: number[] = [];
    for (const [output, redact] of outputs) {
      const store = memoryStore();
      const options = { store, scope: 'lab', redact, toolName: 'read', toolCallId: 'a' };
      await watchTurns(
        () => truncateOutput(output, options),
        (milliseconds) => all.push(milliseconds),
      );
      await scopedArtifacts(store, { scope: 'lab' }).deleteAll();
    }
    const long = all.filter((milliseconds) => milliseconds > LONGEST_TURN_MS).length;
    return {
      status: long * 1000 <= all.length ? 'met' : 'missed',
      how: `${outputs.length} outputs of ${factor} MB: texts that repeat the beginning of a secret, a log, and objects, some with three patterns of an application`,
      measured: `${thousands(long)} of ${thousands(all.length)} turns took longer, the longest ${Math.max(...all).toFixed(0)} ms`,
    };
  },
};

/** With `redact`, secrets are replaced before anything else is done with an output. */
export const redaction: LabPromise = {
  promise: 'With redact, no planted secret is saved, shown or reported',
  trials: [planted, falseHits, speed, memory, turns],
};
