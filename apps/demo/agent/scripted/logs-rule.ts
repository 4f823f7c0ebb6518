import { answerWords } from './answer-words';
import { explorePrompt } from './explore-reply';
import { exploreText } from './explore-text';
import type { Rule } from './rule';
import { searchWordsOf } from './search-words';
import { contentOf, linkTo, savedPathOf } from './shown-output';
import { lastOf, type Reply, type Turn } from './turn';

const SERVICES = ['checkout', 'payments', 'inventory'] as const;

/** Reads the log of a service, has the line found that says what failed, and answers with it. */
export const logsRule: Rule = {
  matches: ({ question }) =>
    /\b(logs?|fail\w*|errors?|crash\w*|checkout|payments?|inventory|outage|incident|wrong|happened|broke\w*|down)\b/i.test(
      question,
    ),
  next(turn) {
    const log = lastOf(turn.results, 'readServerLogs');
    if (!log)
      return { text: answerWords.readingLogs, call: { toolName: 'readServerLogs', input: logInput(turn.question) } };
    if (log.outcome !== 'answered') return { text: answerWords.toolFailed('readServerLogs', log.text) };
    const path = savedPathOf(log.text);
    return path === undefined ? { text: answerFromShown(log.text, turn.question) } : findIn(path, turn);
  },
};

function logInput(question: string): Record<string, unknown> {
  const service = SERVICES.find((name) => question.toLowerCase().includes(name.replace(/s$/, ''))) ?? 'checkout';
  const hours = Number(/\b(\d{1,2}) ?h(?:ours?)?\b/i.exec(question)?.[1] ?? 12);
  return { service, hours: Math.min(12, Math.max(1, hours)) };
}

/** Delegates where that is possible, since a log is long; else it searches by itself. */
function findIn(path: string, turn: Turn): Reply {
  const { question, results, tools } = turn;
  const words = searchWordsOf(question);
  if (!tools.has('task')) {
    const next = exploreText({ question, path, results });
    if (next && 'toolName' in next) return { call: next };
    const places = next?.evidence.map(({ start_line: start, end_line: end }) => linkTo(path, { start, end })) ?? [];
    return { text: answerWords.finding({ conclusion: next?.conclusion ?? '', places }) };
  }
  const task = lastOf(results, 'task');
  if (!task) {
    const prompt = explorePrompt({ question, path, words });
    return { text: answerWords.delegating, call: { toolName: 'task', input: { agent: 'explore', prompt } } };
  }
  if (task.outcome !== 'answered') return { text: answerWords.toolFailed('task', task.text) };
  return { text: answerFromTask(task.text) };
}

const EVIDENCE_ROW = /^- (\S+) lines? (\d+)(?:-(\d+))?( \(the quote is not there\))?$/gm;

const QUOTED_LINE = /^> ?(.*)$/gm;

/**
 * The conclusion of the sub-agent, with its verified evidence as links. Evidence that could not be verified is listed separately.
 * The conclusion is quoted line by line, so a row that the sub-agent wrote into it is not linked.
 */
function answerFromTask(text: string): string {
  const conclusion = Array.from(text.matchAll(QUOTED_LINE), ([, line]) => line).join('\n');
  const rows = [...text.matchAll(EVIDENCE_ROW)];
  const placeOf = ([, path = '', start, end = start]: string[]) =>
    linkTo(path, { start: Number(start), end: Number(end) });
  const places = rows.filter((row) => row[4] === undefined).map(placeOf);
  const unverified = rows.filter((row) => row[4] !== undefined).map(placeOf);
  return answerWords.finding({ conclusion, places, unverified });
}

/** Without a saved output there is nothing but what was shown. */
function answerFromShown(text: string, question: string): string {
  const lines = contentOf(text)
    .split('\n')
    .map((line, index) => ({ line: index + 1, text: line.replace(/^\d+: /, '') }));
  const failure = lines.find((line) => / (ERROR|FATAL) /.test(line.text));
  if (!failure) return answerWords.noFailureShown(question);
  return answerWords.finding({ conclusion: failure.text, places: [] });
}
