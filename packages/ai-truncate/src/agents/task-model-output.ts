import { isRecord } from '../protocol/is-record.ts';
import { boundedModelText } from '../truncation/bounded-model-text.ts';
import { taskWords } from './task-words.ts';

/** A conclusion, and twenty places of evidence. */
const MAX_MODEL_BYTES = 24 * 1024;

/**
 * What the main agent reads of a task: what happened, the conclusion, and where its evidence is. The quotes are for people: they
 * are the output's own words. Pure, and for anything that a client may have posted in place of an answer.
 */
export function taskModelOutput(output: unknown): { type: 'text'; value: string } {
  const { text, data } = isRecord(output) ? output : {};
  const said = typeof text === 'string' ? text : '';
  return { type: 'text', value: boundedModelText({ text: said, preview: shown(data) }, MAX_MODEL_BYTES) };
}

function shown(data: unknown): string {
  if (!isRecord(data)) return '';
  const { conclusion, evidence } = data;
  const places = Array.isArray(evidence) ? evidence.slice(0, MAX_PLACES).flatMap(placeOf) : [];
  const answer = typeof conclusion === 'string' ? conclusion : '';
  return [answer, ...(places.length > 0 ? [taskWords.evidence, ...places] : [])].join('\n');
}

const MAX_PLACES = 20;

function placeOf(evidence: unknown): string[] {
  if (!isRecord(evidence)) return [];
  const { path, start_line: start, end_line: end, verified } = evidence;
  if (typeof path !== 'string' || typeof start !== 'number' || typeof end !== 'number') return [];
  const place = taskWords.place(path.slice(0, MAX_PATH_CHARS), start, end);
  return [verified === true ? `- ${place}` : `- ${place} ${taskWords.notFound}`];
}

const MAX_PATH_CHARS = 200;
