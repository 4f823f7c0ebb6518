import type { ServiceName } from '../chat-message';
import { investigate, messageOf, timeOf } from './incident';
import { codeOf, counted, findingOf, number, quietWords } from './incident-words';
import type { Aspect, Meaning, Target } from './meaning';
import { type Answer, call, type Script, type Steps } from './play';
import {
  type Count,
  contentOf,
  countIn,
  lineCountIn,
  linkTo,
  linkToAll,
  numberedLinesOf,
  savedPathOf,
} from './saved-outputs';
import type { ToolResult, Turn } from './turn';
import { stemOf } from './vocabulary';

/** A question for each part of a failure, in words of the grammar, so that the sub-agent understands its task. */
const questions: Record<Aspect, (service: ServiceName) => string> = {
  cause: (service) => `Why did ${service} fail?`,
  start: (service) => `When did ${service} start to fail?`,
  end: (service) => `When did the ${service} errors stop?`,
  count: (service) => `How many errors are in the ${service} log?`,
  ids: (service) => `Which orders failed in ${service}?`,
  who: (service) => `Who made the ${service} deploy?`,
  health: (service) => `Is ${service} down?`,
};

/** Searches the log of a service for a failure, with the sub-agent if there is one, and answers with the conclusion. */
export function* incidentScript({ aspect, service }: Extract<Meaning, { about: 'incident' }>, turn: Turn): Script {
  const log = yield* openLog(service, turn);
  if (!('path' in log)) return log;
  const { path } = log;
  const suggestions = incidentSuggestions(service);
  if (!turn.tools.has('task')) {
    const incident = yield* investigate(path);
    if (typeof incident === 'string') return { text: incident === 'quiet' ? quietWords() : unfinished, suggestions };
    const { conclusion, evidence } = findingOf(incident, { aspect, path });
    const places = evidence.map(({ start_line: start, end_line: end }) => linkTo(path, { start, end }));
    return { text: withEvidence(conclusion, places), suggestions };
  }
  const prompt = `Question: ${questions[aspect](service)}\nSaved output: ${path}`;
  const say = 'The log is too big to read here, so the explore agent will search it.';
  const { text } = yield* call('task', { agent: 'explore', prompt }, { say });
  return { text: answerFromTask(text), suggestions };
}

export const unfinished = 'The search ran out of time before the end of the log.';

function incidentSuggestions(service: ServiceName): string[] {
  if (service === 'inventory') return ['Summarise the inventory log', 'Why did checkout fail last night?'];
  return ['When did the errors start?', 'How many orders were affected?', 'Who deployed that?'];
}

/** The saved log of a service, from earlier in this chat or new. */
function* openLog(service: ServiceName, { earlier }: Turn): Steps<{ path: string } | Answer> {
  const known = earlier.flatMap(({ results }) => results).findLast((result) => isLogOf(service, result));
  const path = known && savedPathOf(known.text);
  if (path !== undefined) return { path };
  const say = `Reading the ${service} log.`;
  const { text } = yield* call('readServerLogs', { service, hours: 12 }, { say });
  const saved = savedPathOf(text);
  return saved === undefined ? { text: answerFromShown(text) } : { path: saved };
}

function isLogOf(service: ServiceName, { toolName, input, outcome }: ToolResult): boolean {
  return toolName === 'readServerLogs' && outcome === 'answered' && input.service === service;
}

/** The saved output that a question names, or the last one. If there are no saved outputs, the checkout log. */
function* openOutput(target: Target, turn: Turn): Steps<{ path: string; note?: string } | Answer> {
  const results = turn.earlier.flatMap(({ results }) => results);
  if (target === 'last') {
    const path = results
      .map(({ text, input }) => savedPathOf(text) ?? pathOf(input))
      .findLast((each) => each !== undefined);
    if (path !== undefined) return { path };
    const log = yield* openLog('checkout', turn);
    return 'path' in log ? { ...log, note: 'Nothing was saved in this chat yet, so this is the checkout log.' } : log;
  }
  if (target !== 'orders' && target !== 'tests') return yield* openLog(target, turn);
  const toolName = target === 'orders' ? 'queryOrders' : 'runTests';
  const known = results.findLast((result) => result.toolName === toolName && savedPathOf(result.text) !== undefined);
  const { text } = known ?? (yield* call(toolName, {}));
  const path = savedPathOf(text);
  return path === undefined ? { text: 'That output was not saved, so I cannot search it.' } : { path };
}

function pathOf({ path }: Record<string, unknown>): string | undefined {
  return typeof path === 'string' && path.includes('tool_') ? path : undefined;
}

const DEFAULT_LINES = 10;
const MAX_LINES = 40;

/** Shows the size, the ends or a summary of an output. */
export function* viewScript(meaning: Extract<Meaning, { about: 'log' }>, turn: Turn): Script {
  const output = yield* openOutput(meaning.target, turn);
  if (!('path' in output)) return output;
  const { path, note } = output;
  const count = Math.min(meaning.count ?? DEFAULT_LINES, MAX_LINES);
  // A file ends with a line break, so its last line is empty.
  const [offset, limit] =
    meaning.view === 'head' ? [1, count] : meaning.view === 'tail' ? [-count - 1, count + 1] : [1, 1];
  const window = yield* call('readArtifact', { path, offset, limit });
  const total = (lineCountIn(window.text) ?? 1) - 1;
  const suggestions = ['Why did checkout fail last night?', 'Search for timeout in the checkout log', 'Tail the log'];
  if (meaning.view === 'head' || meaning.view === 'tail') {
    const lines = numberedLinesOf(window.text).filter(({ text }) => text !== '');
    const heading = `The ${meaning.view === 'head' ? 'first' : 'last'} ${lines.length} of ${number(total)} lines:`;
    return { text: listWords([note, heading], { path, lines }), suggestions };
  }
  const end = yield* call('readArtifact', { path, offset: -2, limit: 2 });
  const [first, last] = [numberedLinesOf(window.text)[0], numberedLinesOf(end.text)[0]];
  const [from, to] = [first && timeOf(first), last && timeOf(last)];
  const time = from && to ? `, from ${spoken(from)} to ${spoken(to)} UTC` : '';
  const size = `${linkToAll(path)} has ${number(total)} lines${time}.`;
  if (meaning.view === 'size') return { text: [note, size].filter(Boolean).join('\n\n'), suggestions };
  const errors = yield* call('grepArtifacts', { path, pattern: ' ERROR ', literal: true });
  const warnings = yield* call('grepArtifacts', { path, pattern: ' WARN ', literal: true });
  const levels = `${linesWith('ERROR', countIn(errors.text))}, ${linesWith('WARN', countIn(warnings.text))}.`;
  const [error] = numberedLinesOf(errors.text);
  const shown =
    error &&
    `The first ERROR is in line ${number(error.line)}: ${codeOf(messageOf(error))} (${linkTo(path, { start: error.line })}).`;
  return { text: [note, `${size} ${levels}`, shown].filter(Boolean).join('\n\n'), suggestions };
}

function spoken(time: string): string {
  return time.slice(0, 19).replace('T', ' ');
}

function linesWith(word: string, count: Count): string {
  return `${counted(count)} ${count.lines === 1 ? 'line contains' : 'lines contain'} ${word}`;
}

const MAX_SHOWN_MATCHES = 10;

/** Searches a saved output for a text. If the text is not found, searches for each of its words separately, in all forms. */
export function* searchScript({ literal, target }: Extract<Meaning, { about: 'search' }>, turn: Turn): Script {
  const output = yield* openOutput(target, turn);
  if (!('path' in output)) return output;
  const { path, note } = output;
  const search = (pattern: string) => call('grepArtifacts', { path, pattern, literal: true, ignoreCase: true });
  const { text } = yield* search(literal);
  const lines = numberedLinesOf(text);
  const suggestions = ['Show the lines around it', 'Why did checkout fail last night?'];
  const found = (pattern: string, count: Count) =>
    `${count.lines === 0 && !count.isExact ? 'No match so far for' : `${counted(count)} ${count.lines === 1 ? 'line contains' : 'lines contain'}`} “${pattern}”`;
  if (lines.length > 0) {
    const heading = `${found(literal, countIn(text))} in ${linkToAll(path)}.${lines.length > MAX_SHOWN_MATCHES ? ` The first ${MAX_SHOWN_MATCHES}:` : ''}`;
    return { text: listWords([note, heading], { path, lines: lines.slice(0, MAX_SHOWN_MATCHES) }), suggestions };
  }
  const rows = [found(literal, countIn(text))];
  let shown = lines;
  for (const word of otherForms(literal)) {
    const result = yield* search(word);
    rows.push(found(word, countIn(result.text)));
    if (shown.length === 0) shown = numberedLinesOf(result.text).slice(0, MAX_SHOWN_MATCHES);
  }
  const errors = shown.length === 0 ? yield* search(' ERROR ') : undefined;
  const hint = errors && countIn(errors.text).lines > 0 ? ` ${capital(linesWith('ERROR', countIn(errors.text)))}.` : '';
  const heading = `In ${linkToAll(path)}: ${rows.join(', ')}.${hint}`;
  const next = target === 'payments' ? ['Show me the errors in the payments log', ...suggestions] : suggestions;
  return {
    text: listWords([note, heading], { path, lines: shown }),
    suggestions: next.filter((each) => shown.length > 0 || !/around/.test(each)),
  };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const MAX_SEARCHED_WORDS = 4;

/** The words of a text, also without their endings. */
function otherForms(literal: string): string[] {
  const words = literal.split(' ').slice(0, MAX_SEARCHED_WORDS);
  const forms = words.length > 1 ? words : words.map(stemOf);
  return [...new Set(forms)].filter((word) => word !== '' && word.toLowerCase() !== literal.toLowerCase());
}

/** Shows lines by their numbers. */
export function* linesScript({ start, end, target }: Extract<Meaning, { about: 'lines' }>, turn: Turn): Script {
  const place = target === 'last' ? lastPlaceIn(turn) : undefined;
  const output = place ?? (yield* openOutput(target, turn));
  if (!('path' in output)) return output;
  const { path } = output;
  const { text } = yield* call('readArtifact', { path, offset: start, limit: Math.min(MAX_LINES, end - start + 1) });
  const lines = numberedLinesOf(text);
  const total = lineCountIn(text);
  const suggestions = ['Why did checkout fail last night?', 'Show the lines around it'];
  if (lines.length === 0) return { text: text.split('\n', 1)[0] ?? '', suggestions: suggestions.slice(0, 1) };
  const named =
    lines.length === 1 ? `Line ${number(start)}` : `Lines ${number(start)} to ${number(start + lines.length - 1)}`;
  const heading = `${named} of ${linkToAll(path)}${total ? `, which has ${number(total - 1)} lines` : ''}:`;
  return { text: listWords(['note' in output ? output.note : undefined, heading], { path, lines }), suggestions };
}

const AROUND_LINES = 8;

/** Shows the lines around the place that the last answer named. */
export function* aroundScript(turn: Turn): Script {
  const place = lastPlaceIn(turn);
  if (!place)
    return {
      text: 'No line was shown in this chat yet. Search for something first:',
      suggestions: ['Search for timeout in the checkout log'],
    };
  const start = Math.max(1, place.line - AROUND_LINES);
  return yield* linesScript({ about: 'lines', start, end: place.line + AROUND_LINES, target: 'last' }, turn);
}

/** The line of the last answer in this chat that was about a line. */
function lastPlaceIn({ earlier }: Turn): { path: string; line: number } | undefined {
  for (const { toolName, input, text } of earlier.flatMap(({ results }) => results).toReversed()) {
    const evidence = toolName === 'task' ? evidenceIn(text)[0] : undefined;
    if (evidence) return { path: evidence.path, line: evidence.start };
    const path = pathOf(input);
    const line =
      toolName === 'grepArtifacts' || toolName === 'readArtifact' ? numberedLinesOf(text)[0]?.line : undefined;
    if (path !== undefined && line !== undefined) return { path, line };
  }
  return undefined;
}

interface Listed {
  path: string;
  lines: readonly { line: number; text: string }[];
}

function listWords(heading: readonly (string | undefined)[], { path, lines }: Listed): string {
  const rows = lines.map(({ line, text }) => `- ${linkTo(path, { start: line })} ${codeOf(text)}`);
  return [...heading, rows.join('\n')].filter(Boolean).join('\n\n');
}

const EVIDENCE_ROW = /^- (\S+) lines? (\d+)(?:-(\d+))?( \(the quote is not there\))?$/gm;
const QUOTED_LINE = /^> ?(.*)$/gm;

interface EvidenceRow {
  path: string;
  start: number;
  end: number;
  isVerified: boolean;
}

function evidenceIn(text: string): EvidenceRow[] {
  return Array.from(text.matchAll(EVIDENCE_ROW), ([, path = '', start, end = start, unverified]) => ({
    path,
    start: Number(start),
    end: Number(end),
    isVerified: unverified === undefined,
  }));
}

/**
 * The conclusion of the sub-agent, with its verified evidence as links. The conclusion is quoted line by line, so a row of evidence
 * that the sub-agent wrote into it is not linked.
 */
function answerFromTask(text: string): string {
  const conclusion = Array.from(text.matchAll(QUOTED_LINE), ([, line]) => line).join('\n');
  const rows = evidenceIn(text);
  const placesOf = (isVerified: boolean) =>
    rows.filter((row) => row.isVerified === isVerified).map(({ path, start, end }) => linkTo(path, { start, end }));
  return withEvidence(conclusion, placesOf(true), placesOf(false));
}

function withEvidence(conclusion: string, places: readonly string[], unverified: readonly string[] = []): string {
  return [
    conclusion,
    places.length > 0 && `Evidence: ${places.join(', ')}`,
    unverified.length > 0 && `Unverified, not found at that line: ${unverified.join(', ')}`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** Without a saved output, only its preview can answer. */
function answerFromShown(text: string): string {
  const failure = contentOf(text)
    .split('\n')
    .map((line) => line.replace(/^\d+: /, ''))
    .find((line) => / (ERROR|FATAL) /.test(line));
  const reason = 'The log was not saved, so I can only use its preview.';
  return failure ? `${reason} It contains this failure: ${codeOf(failure)}` : `${reason} It shows no failure.`;
}
