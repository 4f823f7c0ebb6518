import { isRecord } from '../protocol/is-record.ts';
import { boundedModelText } from '../truncation/bounded-model-text.ts';
import { taskWords } from './task-words.ts';

/** A conclusion, and twenty places of evidence. */
const MAX_MODEL_BYTES = 16 * 1024;

/**
 * What the main agent reads of a task: what happened, the conclusion, and where its evidence is. The quotes are for people: they
 * are the output's own words. Pure, and for anything that a client may have posted in place of an answer.
 */
export function taskModelOutput(output: unknown): { type: 'text'; value: string } {
  const { text, data } = isRecord(output) ? output : {};
  // A model never reads of an agent that works: only a run that ended there leaves such an output in a chat.
  if (isRecord(data) && isRecord(data.running)) {
    return {
      type: 'text',
      value: taskWords.interrupted(typeof data.agent === 'string' ? data.agent.slice(0, MAX_NAME_CHARS) : ''),
    };
  }
  const said = typeof text === 'string' ? text : '';
  const preview = shown(data);
  const value = boundedModelText({ text: said, preview }, MAX_MODEL_BYTES);
  // An error has nothing to frame: its text is the first line.
  return { type: 'text', value: preview === '' ? (value.split('\n', 1)[0] ?? '') : value };
}

function shown(data: unknown): string {
  if (!isRecord(data)) return '';
  const { conclusion, evidence } = data;
  const places = Array.isArray(evidence) ? evidence.slice(0, MAX_PLACES).flatMap(placeOf) : [];
  const answer = typeof conclusion === 'string' ? conclusion : '';
  return [answer, ...(places.length > 0 ? [taskWords.evidence, ...places] : [])].join('\n');
}

const MAX_PLACES = 20;
const MAX_NAME_CHARS = 64;

function placeOf(evidence: unknown): string[] {
  if (!isRecord(evidence)) return [];
  const { path, start_line: start, end_line: end, verified, unchecked } = evidence;
  if (typeof path !== 'string' || typeof start !== 'number' || typeof end !== 'number') return [];
  // One row each: a line feed in a path would write another one.
  const place = taskWords.place(path.slice(0, MAX_PATH_CHARS).replace(/\s/g, ' '), start, end);
  const doubt = verified === true ? '' : ` ${unchecked === true ? taskWords.unchecked : taskWords.notFound}`;
  return [`- ${place}${doubt}`];
}

const MAX_PATH_CHARS = 200;
