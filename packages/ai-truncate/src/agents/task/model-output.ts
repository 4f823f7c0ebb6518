import { gapRow } from '../../preview/truncation-notice.ts';
import { isRecord } from '../../protocol/guards.ts';
import { byteLength, endOfFirstBytes } from '../../text/utf.ts';
import { wellFormedText } from '../../text/visible-text.ts';
import { oneLine, quotedLines, taskWords } from './task-words.ts';

/** A conclusion, and twenty places of evidence. */
const MAX_MODEL_BYTES = 16 * 1024;
/** Longer than any sentence about a task, also the one that names 50 agents. */
const MAX_TEXT_CHARS = 4096;
const MAX_PLACES = 20;
const MAX_NAME_CHARS = 64;
const MAX_PATH_CHARS = 200;

/**
 * What the main agent reads of a task: what happened, where the evidence is, and the conclusion. The lines of the conclusion are
 * quoted, so every line without a `>` is ours, and no text of a sub-agent can forge one. The quotes are for people: they are the
 * output's own words. Pure, and for anything that a client may have posted in place of an answer.
 */
export function taskModelOutput(output: unknown): { type: 'text'; value: string } {
  const { text, data } = isRecord(output) ? output : {};
  const { running, agent, conclusion, evidence } = isRecord(data) ? data : {};
  // A model never reads of an agent that works: only a run that ended there leaves such an output in a chat.
  if (isRecord(running)) return { type: 'text', value: taskWords.interrupted(nameOf(agent)) };
  const happened = typeof text === 'string' ? oneLine(text.slice(0, MAX_TEXT_CHARS)) : '';
  const places = Array.isArray(evidence) ? evidence.slice(0, MAX_PLACES).flatMap(placeOf) : [];
  // A character weighs at least a byte: no more than that is ever looked at.
  const answer = typeof conclusion === 'string' ? conclusion.slice(0, MAX_MODEL_BYTES) : '';
  const rows = [
    happened,
    ...(places.length > 0 ? [taskWords.evidence, ...places] : []),
    ...(answer === '' ? [] : [taskWords.answer, quotedLines(answer)]),
  ];
  return { type: 'text', value: bounded(rows.join('\n')) };
}

function bounded(text: string): string {
  if (byteLength(text) <= MAX_MODEL_BYTES) return text;
  const row = (shown: string) => `\n${gapRow({ lines: 0, from: 0, chars: text.length - shown.length })}`;
  const shown = text.slice(0, endOfFirstBytes(text, MAX_MODEL_BYTES - byteLength(row(''))));
  return shown + row(shown);
}

/** As `agents` allows them: a client could put a sentence in its place. */
function nameOf(agent: unknown): string {
  return typeof agent === 'string' ? agent.slice(0, MAX_NAME_CHARS).replace(/[^\w-]/g, '_') : taskWords.anAgent;
}

function placeOf(evidence: unknown): string[] {
  if (!isRecord(evidence)) return [];
  const { path, start_line: start, end_line: end, verified, unchecked } = evidence;
  if (typeof path !== 'string' || typeof start !== 'number' || typeof end !== 'number') return [];
  const shown = path.slice(0, MAX_PATH_CHARS);
  if (verified === true) return [`- ${taskWords.place(oneLine(shown), start, end)}`];
  const doubt = unchecked === true ? taskWords.unchecked : taskWords.notFound;
  // Nobody found this path: a sub-agent may have written a sentence in its place.
  return [`- ${taskWords.place(encodeURI(wellFormedText(shown)), start, end)} ${doubt}`];
}
