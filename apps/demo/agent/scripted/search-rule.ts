import { answerWords } from './answer-words';
import type { Rule } from './rule';
import { linkTo, numberedLinesOf, savedPathOf } from './shown-output';
import { lastOf, type Turn } from './turn';

// Words are bounded, because the search from each `search` of a long text would otherwise run to its end.
const SEARCH = /\b(?:search|grep|look)\b(?: \w{1,30}){0,4}? for /i;
const PLACE = / in (?:it|that|the \w{1,30})$/i;
const LINES = /\blines? (\d{1,9})(?: ?(?:-|–|to) ?(\d{1,9}))?\b/i;
const MAX_LINES = 40;

/** Searches, or shows lines of, the last output that was saved in this chat. */
export const searchRule: Rule = {
  matches: (turn) =>
    (searchedText(turn.question) !== undefined || LINES.test(turn.question)) && lastPathOf(turn) !== undefined,
  next(turn) {
    const path = lastPathOf(turn) ?? '';
    const asked = LINES.exec(turn.question);
    const toolName = asked ? 'readArtifact' : 'grepArtifacts';
    const answer = lastOf(turn.results, toolName);
    if (answer) {
      const lines = numberedLinesOf(answer.text);
      const rows = lines
        .slice(0, MAX_LINES)
        .map(({ line, text }) => ({ link: linkTo(path, { start: line }), text: text.trim() }));
      return { text: answerWords.lines({ heading: answer.text.split('\n')[0] ?? '', rows }) };
    }
    if (asked) {
      const offset = Number(asked[1]);
      const limit = Math.min(MAX_LINES, Math.max(1, Number(asked[2] ?? offset) - offset + 1));
      return { call: { toolName, input: { path, offset: Math.max(1, offset), limit } } };
    }
    const pattern = searchedText(turn.question) ?? '';
    return { call: { toolName, input: { path, pattern: pattern.slice(0, 200), literal: true, ignoreCase: true } } };
  },
};

/** The words after `search for`, without the quotes around them and without the place. */
function searchedText(question: string): string | undefined {
  const asked = SEARCH.exec(question);
  if (!asked) return undefined;
  const [line = ''] = question.slice(asked.index + asked[0].length).split('\n', 1);
  const words = line.replace(/[.?!]$/, '').replace(PLACE, '');
  return words.replace(/^["“']/, '').replace(/["”']$/, '') || undefined;
}

function lastPathOf({ earlier }: Turn): string | undefined {
  return earlier.map(({ text }) => savedPathOf(text)).findLast((path) => path !== undefined);
}
