import { callReader } from '../fixtures/call-reader.ts';
import { inTemporaryDirectory } from '../fixtures/in-temporary-directory.ts';
import { createArtifactHandler } from '../src/http/create-artifact-handler.ts';
import type { ReaderName } from '../src/readers/create-artifact-tools.ts';
import { thousands } from '../src/text/utf.ts';
import { type Reference, referencePair, withoutReference } from './foreign-reference.ts';
import { byForgedHistory, byOrders } from './foreign-scopes-agents.ts';
import type { LabPromise, LabTrial, TrialOutcome } from './lab-promise.ts';
import { countChanged, OWN_MARK, OWN_SCOPE, type PlantedStore, plantStores } from './planted-artifacts.ts';
import { type SeededRandom, seededRandom } from './seeded-random.ts';

/** Makes one request, and returns the whole answer. */
export type Ask = (reference: string) => Promise<string>;

export type Way = [name: string, ask: Ask];

export interface Attack {
  /** Chooses the next request. Called with two references, it does the same with both. */
  choose(random: SeededRandom, planted: PlantedStore): Ask;
  /** All its ways. Each must reach the user's own artifact with the reference, and nothing without it. */
  ways(planted: PlantedStore): Way[];
}

const target =
  '0 foreign bytes, foreign and missing artifacts answered alike, 0 foreign artifacts changed, own artifacts reached in every way';

const readers: LabTrial = {
  name: 'the readers',
  target,
  run: (size) => attack(byReaders, { attempts: { full: 50_000, small: 200 }[size], how: 'calls of the five readers' }),
};

const route: LabTrial = {
  name: 'the HTTP route',
  target,
  run: (size) => attack(byRoute, { attempts: { full: 30_000, small: 200 }[size], how: 'requests, every view' }),
};

const explore: LabTrial = {
  name: 'the explore agent, with a model that obeys',
  target,
  run: (size) =>
    attack(byOrders, {
      attempts: { full: 10_000, small: 12 }[size],
      how: 'tasks: the model must read, search, query and find a path in six ways, and quote it as evidence',
    }),
};

const history: LabTrial = {
  name: 'forged history, with a model that obeys',
  target,
  run: (size) =>
    attack(byForgedHistory, {
      attempts: { full: 10_000, small: 12 }[size],
      how: 'posted chats whose TruncatedOutput names a path: convertToModelMessages, the middleware, and a model that calls the readers with it in six ways',
    }),
};

/** Users reach their own artifacts. Artifacts of others look like missing artifacts. */
export const foreignScopes: LabPromise = {
  promise: 'Nothing reaches an artifact of another scope',
  trials: [readers, route, explore, history],
};

/** A valid name of an artifact that never existed. */
const nobodysName = 'tool_20200101_000000_read_call-1_0000000000000000.txt';

/** Makes as many requests for artifacts of others as for missing artifacts, and compares the answers. */
function attack(by: Attack, { attempts, how }: { attempts: number; how: string }): Promise<TrialOutcome> {
  return inTemporaryDirectory(async (directory) => {
    const planted = await plantStores(directory);
    const blind = await blindWays(by, planted);
    const random = seededRandom(4711);
    let leaked = 0;
    let different = 0;
    let example = '';
    for (let count = 0; count < attempts; count++) {
      const chosen = random.oneOf(planted);
      const foreign = chosen.foreign[random.below(chosen.foreign.length)];
      if (!foreign) throw new Error('nothing was planted');
      const ask = by.choose(random, chosen);
      const references = referencePair(random, { foreign, ownKey: chosen.ownKey });
      const answers = { foreign: await ask(references.foreign.text), missing: await ask(references.missing.text) };
      const isLeak = chosen.foreign.some(
        ({ mark, name }) => answers.foreign.includes(mark) || isToldUnasked(name, { ...answers, references }),
      );
      const plain = {
        foreign: withoutReference(answers.foreign, references.foreign),
        missing: withoutReference(answers.missing, references.missing),
      };
      if (isLeak) leaked++;
      if (plain.foreign !== plain.missing) different++;
      if (isLeak || plain.foreign !== plain.missing) example ||= toExample(references.foreign, plain);
    }
    const changed = await countChanged(planted);
    return {
      status: leaked + different + changed + blind.length === 0 ? 'met' : 'missed',
      how: `${thousands(attempts)} ${how}; each with a foreign path, name or id in one of many forms, and once more for a missing artifact, to compare the answers; memoryStore and filesystemStore, ${planted[0].foreign.length} marked artifacts of other owners in each`,
      measured: `${leaked} with foreign bytes, ${different} distinguishable, ${changed} changed, ${blind.length} ways that do not reach own artifacts${blind.map((way) => ` (${way})`).join('')}${example}`,
    };
  });
}

/** Ways that do not reach the user's own artifact in one of the stores. A way that is always refused proves nothing. */
async function blindWays({ ways }: Attack, planted: readonly PlantedStore[]): Promise<string[]> {
  const blind: string[] = [];
  for (const each of planted)
    for (const [name, ask] of ways(each)) if (!(await reachesOwn(ask, each))) blind.push(`${each.kind}: ${name}`);
  return blind;
}

/**
 * Whether a request with only the name returns content that only the artifact and its store know, and no such content without
 * the name.
 */
async function reachesOwn(ask: Ask, { own }: PlantedStore): Promise<boolean> {
  const isTold = (answer: string, path: string) => answer.includes(OWN_MARK) || answer.includes(path);
  for await (const { path, name } of own.list())
    if (isTold(await ask(name), path)) return !isTold(await ask(nobodysName), path);
  return false;
}

interface Answered {
  foreign: string;
  missing: string;
  references: { foreign: Reference };
}

/** Whether an answer contains the random part of a name that was not in the question. */
function isToldUnasked(name: string, { foreign, missing, references }: Answered): boolean {
  const id = name.slice(-20, -4);
  return missing.includes(id) || (foreign.includes(id) && references.foreign.id !== id);
}

/** The question, and the place where the two answers differ. */
function toExample({ text }: Reference, { foreign, missing }: { foreign: string; missing: string }): string {
  let at = 0;
  while (at < foreign.length && foreign[at] === missing[at]) at++;
  const near = [foreign, missing].map((answer) => answer.slice(Math.max(0, at - 80), at + 80));
  return `; e.g. ${JSON.stringify(text)}: ${near.join(' / ')}`;
}

type Question = [ReaderName, (reference: string) => Record<string, unknown>];

const questions: readonly Question[] = [
  ['readArtifact', (path) => ({ path })],
  ['readArtifact', (path) => ({ path, offset: 2, limit: 5 })],
  ['readArtifact', (path) => ({ path, chars: { line: 1, start: 1 } })],
  ['grepArtifacts', (path) => ({ path, pattern: 'password|mark' })],
  ['grepArtifacts', (path) => ({ path, pattern: 'mark', literal: true, context: 3 })],
  ['queryArtifact', (path) => ({ path })],
  ['queryArtifact', (path) => ({ path, where: [{ field: 'password', op: 'matches', value: 'mark' }] })],
  ['globArtifacts', (pattern) => ({ pattern })],
  ['globArtifacts', (path) => ({ pattern: `**/*${path}*` })],
];

/**
 * With arguments that are not names, or without arguments. The user's own artifacts that they find do not depend on the
 * reference.
 */
const others: readonly [Question, ...Question[]] = [
  ['grepArtifacts', () => ({ pattern: 'password' })],
  ['listArtifacts', () => ({})],
  ['readArtifact', (path) => ({ path, cursor: '1:1:0' })],
  ['grepArtifacts', (pattern) => ({ pattern, literal: true })],
  ['listArtifacts', (cursor) => ({ cursor })],
];

const byReaders: Attack = {
  choose(random, planted) {
    const question = random.oneOf([...others, ...questions]);
    return askReader(planted, { question, claim: random.oneOf([{}, {}, {}, { scope: 'chat-2' }]) });
  },
  ways: (planted) => questions.map((question) => [wayOf(question), askReader(planted, { question, claim: {} })]),
};

/** "readArtifact(path, offset, limit)" */
function wayOf([name, inputFor]: Question): string {
  return `${name}(${Object.keys(inputFor('')).join(', ')})`;
}

function askReader(
  { own }: PlantedStore,
  { question: [name, inputFor], claim }: { question: Question; claim: object },
): Ask {
  return async (reference) => {
    const { output, text } = await callReader(own, name, { ...inputFor(reference), ...claim });
    return JSON.stringify({ ...output, stats: {} }) + text;
  };
}

const views: readonly [string, ...string[]] = ['', '/raw', '/lines', '/chars', '/grep?q=password', '/raw?download=1'];

const byRoute: Attack = {
  choose: (random, planted) =>
    askRoute(planted, {
      view: random.oneOf(views),
      method: random.oneOf(['GET', 'GET', 'HEAD']),
      headers: random.oneOf<Record<string, string>>([{}, { range: 'bytes=0-99' }, { 'x-scope': 'chat-2' }]),
      mount: random.oneOf(['/api/artifacts/', '/chat-2/', '/api/artifacts/chat-2/../']),
    }),
  ways: (planted) =>
    views.map((view) => [
      view || 'its metadata',
      askRoute(planted, { view, method: 'GET', headers: {}, mount: '/api/artifacts/' }),
    ]),
};

interface RouteRequest {
  view: string;
  method: string;
  headers: Record<string, string>;
  mount: string;
}

function askRoute({ store }: PlantedStore, { view, method, headers, mount }: RouteRequest): Ask {
  const handler = createArtifactHandler({ store, authorize: () => OWN_SCOPE, onError: () => {} });
  return async (reference) => {
    const url = URL.parse(`https://app.test${mount}${reference}${view}`);
    if (!url) return 'no address';
    const response = await handler(new Request(url, { method, headers }));
    return JSON.stringify([response.status, [...response.headers], await response.text()]);
  };
}
