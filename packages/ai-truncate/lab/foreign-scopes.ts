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

/** Asks for one thing, and gives all that came back. */
export type Ask = (reference: string) => Promise<string>;

export type Way = [name: string, ask: Ask];

export interface Attack {
  /** Chooses what is done next. Asked with two references, it does the same with both. */
  choose(random: SeededRandom, planted: PlantedStore): Ask;
  /** Every way that it has. Each has to reach what is one's own by the reference, and nothing without it. */
  ways(planted: PlantedStore): Way[];
}

const target =
  '0 foreign bytes, foreign and missing answered alike, 0 foreign artifacts changed, one’s own reached in every way';

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
      how: 'tasks: the model is told to read, search, query and find a path in six ways, and quotes it as evidence',
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

/** Who asks gets what is theirs. That of others looks like what nobody has. */
export const foreignScopes: LabPromise = {
  promise: 'Nothing reaches an artifact of another scope',
  trials: [readers, route, explore, history],
};

/** As a name is made, of an artifact that never was. */
const nobodysName = 'tool_20200101_000000_read_call-1_0000000000000000.txt';

/** As many attempts at what others have, and as many at what nobody has, to compare the answers. */
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
      how: `${thousands(attempts)} ${how}; each with a foreign path, name or id in one of many forms, and once more with one of nothing, to compare the answers; memoryStore and filesystemStore, ${planted[0].foreign.length} marked artifacts of other owners in each`,
      measured: `${leaked} with foreign bytes, ${different} told apart, ${changed} changed, ${blind.length} ways that do not reach one’s own${blind.map((way) => ` (${way})`).join('')}${example}`,
    };
  });
}

/** Ways that do not reach one's own, in one of the stores: what is always refused would leak nothing either. */
async function blindWays({ ways }: Attack, planted: readonly PlantedStore[]): Promise<string[]> {
  const blind: string[] = [];
  for (const each of planted)
    for (const [name, ask] of ways(each)) if (!(await reachesOwn(ask, each))) blind.push(`${each.kind}: ${name}`);
  return blind;
}

/** Whether, asked with nothing but the name, it gives what only the artifact and its store know; and nothing of it otherwise. */
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

/** The random part of a name that nobody asked for. */
function isToldUnasked(name: string, { foreign, missing, references }: Answered): boolean {
  const id = name.slice(-20, -4);
  return missing.includes(id) || (foreign.includes(id) && references.foreign.id !== id);
}

/** What was asked, and where the two answers part. */
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

/** With arguments that are no such thing, or none: what they find of one's own does not depend on the reference. */
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
      view || 'what is known of it',
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
