import { tool } from 'ai';
import { z } from 'zod';
import { callReader } from '../fixtures/call-reader.ts';
import { watchTurns } from '../fixtures/longest-turn.ts';
import { scopedArtifacts } from '../src/artifacts/scoped-artifacts.ts';
import { isTruncatedOutput } from '../src/protocol/truncated-output.ts';
import type { ArtifactStore } from '../src/stores/artifact-store.ts';
import { memoryStore } from '../src/stores/memory-store.ts';
import { truncateOutput } from '../src/tools/truncate-output.ts';
import { truncateToolOutputs } from '../src/tools/truncate-tool-outputs.ts';
import { type WorkingOutput, workingOutputs, workingReaders } from './at-once.ts';
import { hostileGlob, hostileGlobs, hostilePattern, hostilePatterns } from './hostile-patterns.ts';
import { hostileShelf, type Outcome } from './hostile-shelf.ts';
import { hostileValues } from './hostile-values.ts';
import type { LabPromise, LabTrial, TrialOutcome, TrialSize } from './lab-promise.ts';
import { seededRandom } from './seeded-random.ts';
import { TurnTimes } from './turn-times.ts';

const MOST_TURN_MS = 50;
/** The limit for every single turn, because rare turns must not be long either. */
const LONGEST_TURN_MS = 200;
/** `Object.keys` of hundreds of thousands of keys is one step of the engine, which cannot be divided. */
const LONGEST_TURN_OF_KEYS_MS = 500;
const MOST_ANSWER_MS = 2000;
/** The time in which an answer must notice that its time is up. */
const NOTICING_MS = 1000;
/** The size of an envelope with the default limits: the preview with escapes, and everything around it. */
const MOST_JSON_BYTES = 2 * 16_384 + 8192;
/** Words that many of the outputs contain, and words that none of them contains. */
const QUESTION =
  'In which line is customer 7919 of page 12, and what does "one line of a log" say about the invoiceReference?';
const call = { toolCallId: 'call_1', messages: [{ role: 'user' as const, content: QUESTION }], context: {} };

const values: LabTrial = {
  name: 'hostile values',
  target: `99.9 % of the turns at most ${MOST_TURN_MS} ms, none over ${LONGEST_TURN_MS} ms (${LONGEST_TURN_OF_KEYS_MS} ms if an object has hundreds of thousands of keys, because they are one step of the engine), 0 outputs unbounded, 0 untrue: an output with a path is as long as the engine's own JSON, if the engine can write it, the others are reported as not saved, and most are saved`,
  async run(size) {
    const turns = new TurnTimes();
    const fates: Record<Fate, string[]> = {
      kept: [],
      'reported as not saved': [],
      'small enough': [],
      unbounded: [],
      untrue: [],
    };
    const values = Object.entries(hostileValues(size));
    let tooLong = 0;
    for (const [name, { make, isPlain, hasManyKeys }] of values) {
      const value = make();
      const mostTurnMs = hasManyKeys ? LONGEST_TURN_OF_KEYS_MS : LONGEST_TURN_MS;
      for (const deliver of [alone, wrapped]) {
        const store = memoryStore();
        let output: unknown;
        await watchTurns(
          async () => {
            output = await deliver(value, store);
          },
          (milliseconds) => {
            turns.add(milliseconds, name);
            if (milliseconds > mostTurnMs) tooLong++;
          },
        );
        const fate = await fateOf(output, { store, bytes: isPlain ? writtenBytes(value) : undefined });
        fates[fate].push(name);
      }
    }
    const isMet = areShort(turns) && tooLong + fates.unbounded.length + fates.untrue.length === 0;
    return {
      status: isMet && fates.kept.length > values.length ? 'met' : 'missed',
      how: `truncateOutput and a wrapped tool, each with ${values.map(([name]) => name).join('; ')}`,
      measured: `${turns.summary()}; ${Object.entries(fates).map(countAndNames).join(', ')}`,
    };
  },
};

function areShort(turns: TurnTimes): boolean {
  return turns.percentile(0.999) <= MOST_TURN_MS;
}

type Fate = 'kept' | 'reported as not saved' | 'small enough' | 'unbounded' | 'untrue';

/** "2 reported as not saved (shared references)". For saved outputs, which are the majority, only the count. */
function countAndNames([fate, names]: [string, readonly string[]]): string {
  const count = `${names.length} ${fate}`;
  return fate === 'kept' || names.length === 0 ? count : `${count} (${[...new Set(names)].join('; ')})`;
}

/** The length of the JSON that the engine itself writes for a value. */
function writtenBytes(value: unknown): number {
  return Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
}

/** The fate of an output, by its envelope and the store, and by its length if that is known. */
async function fateOf(
  output: unknown,
  { store, bytes: writtenBytes }: { store: ArtifactStore; bytes: number | undefined },
): Promise<Fate> {
  if (Buffer.byteLength(JSON.stringify(output)) > MOST_JSON_BYTES) return 'unbounded';
  if (!isTruncatedOutput(output)) return 'small enough';
  const { full_output_path: path, original_bytes: bytes } = output.data.truncation;
  if (path === null) return output.text.includes('cannot be retrieved') ? 'reported as not saved' : 'untrue';
  let kept = 0;
  for await (const chunk of await scopedArtifacts(store, { scope: 'lab' }).readStream(path)) kept += chunk.length;
  return kept === bytes && kept === (writtenBytes ?? kept) ? 'kept' : 'untrue';
}

function alone(value: unknown, store: ArtifactStore): Promise<unknown> {
  return truncateOutput(value, { store, scope: 'lab', toolName: 'read', toolCallId: 'call_1', focus: QUESTION });
}

function wrapped(value: unknown, store: ArtifactStore): Promise<unknown> {
  const own = tool({ inputSchema: z.object({}), execute: (): unknown => value });
  const { read } = truncateToolOutputs({ read: own }, { store, scope: 'lab', readers: false });
  return Promise.resolve(read.execute?.({}, call));
}

const patterns: LabTrial = {
  name: 'hostile regular expressions and globs',
  target: `99.9 % of the turns at most ${MOST_TURN_MS} ms, none over ${LONGEST_TURN_MS} ms, each answer complete within 2 s or partial within one more, some of each reader complete`,
  async run(size) {
    const { regexes, globs } = chosenPatterns(size);
    const shelf = await hostileShelf(size);
    const turns = new TurnTimes();
    const answers: Record<Outcome, number> = { complete: 0, partial: 0, refused: 0, late: 0 };
    const whole = new Set<string>();
    for (const { by, asks } of shelf) {
      // The first compilation by the engine does not count against the pattern.
      await asks('b');
      for (const pattern of by === 'globArtifacts' ? globs : regexes) {
        await watchTurns(
          async () => {
            const startedAt = performance.now();
            const outcome = await asks(pattern);
            const mostMs = MOST_ANSWER_MS + (outcome === 'partial' ? NOTICING_MS : 0);
            const isLate = performance.now() - startedAt > mostMs;
            answers[isLate ? 'late' : outcome]++;
            if (outcome === 'complete') whole.add(by);
          },
          (milliseconds) => turns.add(milliseconds, `${by} ${pattern}`),
        );
      }
    }
    const { complete, partial, refused, late } = answers;
    const blind = shelf.filter(({ by }) => !whole.has(by)).map(({ by }) => `, none complete of ${by}`);
    return {
      status:
        areShort(turns) && turns.longestMs() <= LONGEST_TURN_MS && late === 0 && blind.length === 0 ? 'met' : 'missed',
      how: `${regexes.length} patterns through grepArtifacts, queryArtifact and the route, ${globs.length} globs over 1,000 artifacts`,
      measured: `${turns.summary()}; ${late} late, ${complete} complete, ${partial} partial, ${refused} refused${blind.join('')}`,
    };
  },
};

function chosenPatterns(size: TrialSize): { regexes: readonly string[]; globs: readonly string[] } {
  if (size === 'small') return { regexes: hostilePatterns.slice(0, 6), globs: hostileGlobs.slice(0, 1) };
  const random = seededRandom(7);
  const times = Array.from({ length: 150 });
  return {
    regexes: [...hostilePatterns, ...times.map(() => hostilePattern(random))],
    globs: [...hostileGlobs, ...times.map(() => hostileGlob(random))],
  };
}

const lists: LabTrial = {
  name: 'records with long lists',
  target: `99.9 % of the turns at most ${MOST_TURN_MS} ms, none over ${LONGEST_TURN_MS} ms, all answered completely`,
  async run(size) {
    const count = { full: 300_000, small: 20_000 }[size];
    const dates = Array.from({ length: count }, (_, index) => new Date(index * 86_400_000).toISOString().slice(0, 10));
    const store = memoryStore();
    const artifacts = scopedArtifacts(store, { scope: 'lab' });
    const records = Array.from({ length: { full: 20, small: 3 }[size] }, (_, id) => JSON.stringify({ id, dates }));
    const { path } = await artifacts.save(`[${records.join(',')}]`, {
      toolName: 'read',
      toolCallId: 'call_1',
      mediaType: 'application/json',
    });
    await callReader(artifacts, 'queryArtifact', { path, limit: 1, select: ['id'] });
    const turns = new TurnTimes();
    const wanted = ['2020-09-13', '2020-09-13T02:00:00+02:00', '2020-09-13T12:26:41Z', 'nothing'];
    let matched = 0;
    for (const value of wanted) {
      await watchTurns(
        async () => {
          const where = [{ field: 'dates', op: 'contains', value }];
          const { output } = await callReader(artifacts, 'queryArtifact', { path, where, select: ['id'] });
          if (output.status === 'success') matched++;
        },
        (milliseconds) => turns.add(milliseconds, `contains ${value}`),
      );
    }
    return {
      status: areShort(turns) && turns.longestMs() <= LONGEST_TURN_MS && matched === wanted.length ? 'met' : 'missed',
      how: `queryArtifact, contains, ${records.length} records of ${count.toLocaleString('en')} dates, searched for a day, for moments, for a word`,
      measured: `${turns.summary()}; ${matched} of ${wanted.length} answered`,
    };
  },
};

const outputsAtOnce: LabTrial = {
  name: 'outputs at once whose previews take work',
  target: `99.9 % of the turns at most ${MOST_TURN_MS} ms, none over ${LONGEST_TURN_MS} ms, each replaced`,
  run: (size) => {
    const jobs = Object.entries(workingOutputs()).map(([name, output]) => [name, () => isReplaced(output)] as const);
    return atOnce(jobs, { full: 100, small: 10 }[size]);
  },
};

async function isReplaced({ text, limits }: WorkingOutput): Promise<boolean> {
  const options = {
    store: memoryStore(),
    scope: 'lab',
    toolName: 'read',
    toolCallId: 'call_1',
    focus: QUESTION,
    ...limits,
  };
  return isTruncatedOutput(await truncateOutput(text, options));
}

const readersAtOnce: LabTrial = {
  name: 'readers at once',
  target: `99.9 % of the turns at most ${MOST_TURN_MS} ms, none over ${LONGEST_TURN_MS} ms, each answered`,
  async run(size) {
    const readers = await workingReaders({ full: 8, small: 1 }[size] * 1024 * 1024);
    return atOnce(Object.entries(readers), { full: 50, small: 5 }[size]);
  },
};

async function atOnce(
  jobs: readonly (readonly [name: string, run: () => Promise<boolean>])[],
  count: number,
): Promise<TrialOutcome> {
  const turns = new TurnTimes();
  let done = 0;
  for (const [name, run] of jobs) {
    // The first compilation by the engine does not count.
    await run();
    await watchTurns(
      async () => {
        const results = await Promise.all(Array.from({ length: count }, run));
        done += results.filter(Boolean).length;
      },
      (milliseconds) => turns.add(milliseconds, name),
    );
  }
  const all = jobs.length * count;
  return {
    status: areShort(turns) && turns.longestMs() <= LONGEST_TURN_MS && done === all ? 'met' : 'missed',
    how: `${count} of each at once: ${jobs.map(([name]) => name).join('; ')}`,
    measured: `${turns.summary()}; ${done} of ${all} as expected`,
  };
}

/** Joining is one step of the engine: a quarter to half a millisecond per megabyte on a quiet machine. */
const MOST_JOINING_MS_PER_MB = 2;

const joinedTexts: LabTrial = {
  name: 'texts that were joined from pieces',
  target: `99.9 % of the turns at most ${MOST_TURN_MS} ms, except the turn in which the engine joins the pieces: at most ${MOST_JOINING_MS_PER_MB} ms per megabyte`,
  async run(size) {
    const megabytes = { full: 500, small: 16 }[size];
    const turns = new TurnTimes();
    const joining: number[] = [];
    for (const [name, piece] of Object.entries({
      Latin: 'line of a log\n',
      Chinese: '日志的一行\n',
      'one line': 'x',
    })) {
      const times = await turnsOfJoined(piece.repeat(64), megabytes * 1_000_000);
      const [longest = 0, ...others] = times.sort((one, other) => other - one);
      joining.push(longest);
      for (const milliseconds of others) turns.add(milliseconds, name);
    }
    const longestJoining = Math.max(...joining);
    const mostJoining = Math.max(MOST_TURN_MS, MOST_JOINING_MS_PER_MB * megabytes);
    return {
      status: areShort(turns) && longestJoining <= mostJoining ? 'met' : 'missed',
      how: `truncateOutput of texts of ${megabytes} million characters, each built with \`+=\``,
      measured: `${turns.summary()}; the turns that join took ${joining.map((each) => each.toFixed(0)).join(', ')} ms`,
    };
  },
};

/** In its own function, so that no text is collected while the next one is measured, because freeing a gigabyte takes 60 ms. */
async function turnsOfJoined(piece: string, chars: number): Promise<number[]> {
  const text = joined(piece, chars);
  const times: number[] = [];
  await watchTurns(
    async () => {
      await truncateOutput(text, { store: memoryStore(), scope: 'lab', toolName: 'read', toolCallId: 'call_1' });
    },
    (milliseconds) => times.push(milliseconds),
  );
  return times;
}

function joined(piece: string, chars: number): string {
  let text = '';
  while (text.length < chars) text += piece;
  return text;
}

/** No output and no argument blocks other requests of the process. */
export const neverBlocked: LabPromise = {
  promise: 'Never blocks',
  trials: [patterns, values, lists, outputsAtOnce, readersAtOnce, joinedTexts],
  measuresTurns: true,
};
