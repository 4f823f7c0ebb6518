// Names and keys for many hostile texts, in its own thread. Reports their faults, and hashes to find collisions.
import { hash } from 'node:crypto';
import { resolve, sep } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { artifactKey, createArtifactName, infoKey, parseKey, toScopeKey } from '../src/artifacts/artifact-name.ts';
import { isKey } from '../src/stores/artifact-store.ts';
import { hostileText } from './hostile-text.ts';
import { seededRandom } from './seeded-random.ts';

export interface NamesReport {
  escapes: number;
  reserved: number;
  /** Names that a disk could mistake for others, because they have capitals, or characters with two forms. */
  ambiguous: number;
  tooLong: number;
  /** The first name with such a fault. */
  example: string | undefined;
  /** Hashes of 64 bits each. */
  ids: BigUint64Array<ArrayBuffer>;
  scopes: BigUint64Array<ArrayBuffer>;
  scopeKeys: BigUint64Array<ArrayBuffer>;
}

interface HostileCall {
  scope: string;
  toolName: string;
  toolCallId: string;
}

const BATCH = 500;
const MAX_NAME_LENGTH = 120;
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;
const root = resolve('/srv/artifacts');

const { seed, count } = workerData as { seed: number; count: number };
const random = seededRandom(seed);
const report: NamesReport = {
  ...{ escapes: 0, reserved: 0, ambiguous: 0, tooLong: 0, example: undefined },
  ids: new BigUint64Array(count),
  scopes: new BigUint64Array(count),
  scopeKeys: new BigUint64Array(count),
};

for (let from = 0; from < count; from += BATCH) {
  const calls = Array.from({ length: Math.min(BATCH, count - from) }, hostileCall);
  const scopeKeys = await Promise.all(calls.map(({ scope }) => toScopeKey(scope)));
  calls.forEach((call, index) => {
    const scopeKey = scopeKeys[index] ?? '';
    const name = createArtifactName({ ...call, mediaType: 'text/plain', createdAt: new Date() });
    check(call, { name, scopeKey });
    report.ids[from + index] = bits(folded(name).slice(-20, -4));
    report.scopes[from + index] = bits(Buffer.from(call.scope, 'utf16le'));
    report.scopeKeys[from + index] = bits(folded(scopeKey));
  });
}
parentPort?.postMessage(report, [report.ids.buffer, report.scopes.buffer, report.scopeKeys.buffer]);

function hostileCall(): HostileCall {
  // An empty scope has no owner and is refused before a key is made.
  return { scope: hostileText(random) || 'none', toolName: hostileText(random), toolCallId: hostileText(random) };
}

function check(call: HostileCall, { name, scopeKey }: { name: string; scopeKey: string }): void {
  const key = artifactKey(scopeKey, name);
  const sideCar = infoKey(key);
  const isInside = resolve(root, sideCar).startsWith(`${root}${sep}${scopeKey}${sep}`);
  const wrong = {
    escapes: !isInside || !isKey(key) || !isKey(sideCar) || parseKey(sideCar)?.name !== name,
    reserved: DEVICE.test(name) || DEVICE.test(scopeKey),
    ambiguous: key !== folded(key),
    tooLong: infoKey(name).length > MAX_NAME_LENGTH,
  };
  for (const kind of ['escapes', 'reserved', 'ambiguous', 'tooLong'] as const) {
    if (!wrong[kind]) continue;
    report[kind]++;
    report.example ??= `${JSON.stringify(call)} became ${key}`;
  }
}

/** The form of a name on a disk without capitals and with one form of each character. */
function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

function bits(text: string | Buffer): bigint {
  return hash('sha1', text, 'buffer').readBigUInt64LE();
}
