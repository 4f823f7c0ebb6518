import { isRecord } from '../protocol/guards.ts';
import { cutAnswer } from '../protocol/response-words.ts';
import { codePointStart } from '../text/utf.ts';
import { serialize } from './serialize.ts';

/** No useful answer is this long, but an envelope from a client could be. */
const MAX_CHARS = 1_000_000;

/**
 * A `toModelOutput` for tools that answer in the envelope. The model sees its `text`, followed by `data` as compact JSON,
 * instead of the whole envelope. The function is pure and never throws; an output that is not an envelope becomes JSON. A text
 * of more than 1,000,000 characters is cut, and its end says so.
 *
 * @example
 * tool({ inputSchema, outputSchema: toolResponseSchema, execute, toModelOutput: responseModelOutput });
 */
export function responseModelOutput({ output }: { output: unknown }): { type: 'text'; value: string } {
  const text = memberOf(output, 'text');
  if (typeof text !== 'string') return { type: 'text', value: jsonOf(output, MAX_CHARS) };
  const shown = cut(text, MAX_CHARS);
  const data = memberOf(output, 'data');
  const json = data === undefined ? '' : jsonOf(data, MAX_CHARS - shown.length);
  return { type: 'text', value: json === '' || json === '{}' ? shown : `${shown}\n${json}` };
}

/** A member may throw when it is read. */
function memberOf(output: unknown, name: string): unknown {
  try {
    return isRecord(output) ? output[name] : undefined;
  } catch {
    return undefined;
  }
}

/** Chunk by chunk, so that no more text is made than is sent. A string also becomes JSON. */
function jsonOf(value: unknown, room: number): string {
  if (typeof value === 'string') return cut(JSON.stringify(value.slice(0, room + 1)), room);
  let json = '';
  for (const chunk of serialize(value).chunks) {
    json += chunk;
    if (json.length > room) return cut(json, room);
  }
  return json;
}

function cut(text: string, room: number): string {
  if (text.length <= room) return text;
  return `${text.slice(0, codePointStart(text, Math.max(0, room)))}${cutAnswer}`;
}
