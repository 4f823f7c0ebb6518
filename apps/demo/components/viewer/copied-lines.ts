import { formatCount } from '../format-size';
import { type LineRange, rangeLabel } from '../line-address';
import { shownText } from '../text-segments';
import { ArtifactFailure } from './artifact-failure';
import type { ArtifactSource } from './artifact-source';

/** What a clipboard is asked to take. */
const maxCopiedBytes = 1024 * 1024;
/** What is put together in the browser before it is saved. */
const maxSavedBytes = 64 * 1024 * 1024;

/** How lines are copied: as they are shown, with all that is hidden, or as a quote with its place. */
export type CopyForm = 'text' | 'raw' | 'evidence';

/** Lines as they are copied: whole, also those that are out of view or longer than a row, and without numbers. */
export async function copiedLines(
  source: Pick<ArtifactSource, 'name' | 'info' | 'lines' | 'bytes'>,
  { range, form }: { range: LineRange; form: CopyForm },
): Promise<string> {
  const raw = await (await wholeLines(source, { range, maxBytes: maxCopiedBytes })).text();
  if (form === 'raw') return raw;
  const text = raw.split('\n').map(shownText).join('\n');
  return form === 'text' ? text : evidence(text, { name: source.name, range });
}

/** Lines with everything that is hidden in them, as a file. */
export function savedLines(source: Pick<ArtifactSource, 'info' | 'lines' | 'bytes'>, range: LineRange): Promise<Blob> {
  return wholeLines(source, { range, maxBytes: maxSavedBytes });
}

async function wholeLines(
  source: Pick<ArtifactSource, 'info' | 'lines' | 'bytes'>,
  { range, maxBytes }: { range: LineRange; maxBytes: number },
): Promise<Blob> {
  const [[first], [last]] = await Promise.all([lineAt(source, range.from), lineAt(source, range.to)]);
  if (!first || !last) throw new ArtifactFailure('refused', `There is no line ${formatCount(range.to)}.`);
  const end = last.start + last.bytes;
  if (end - first.start > maxBytes) {
    throw new ArtifactFailure('refused', 'These lines are too much for that. Download the whole output instead.');
  }
  const [{ hasTextView }, saved] = await Promise.all([source.info(), source.bytes({ start: first.start, end })]);
  return hasTextView ? new Blob([decodedText(await saved.text())]) : saved;
}

/** The lines of a text view are saved as JSON, so their strings are decoded here as the server decodes them. */
function decodedText(json: string): string {
  return json.replace(/\\(?:u[\da-f]{4}|.)/gi, (written) => JSON.parse(`"${written}"`));
}

async function lineAt(source: Pick<ArtifactSource, 'lines'>, number: number) {
  return (await source.lines({ start: number, count: 1 })).lines;
}

function evidence(text: string, { name, range }: { name: string; range: LineRange }): string {
  // A fence that is longer than every one in the text.
  let longest = 2;
  // A loop, because a function cannot take as many arguments as a megabyte can contain fences.
  for (const [ticks] of text.matchAll(/`+/g)) longest = Math.max(longest, ticks.length);
  const fence = '`'.repeat(Math.min(longest, 80) + 1);
  return `${name}:${rangeLabel(range).replace('–', '-')}\n${fence}\n${text}\n${fence}\n`;
}
