import { now } from '../../deadlines.ts';
import { pace } from '../../pace.ts';
import type { ResolvedLimits } from '../../preview/limits.ts';
import { looksLikeRecords } from '../../preview/looks-like-records.ts';
import { truncationHint, truncationNotice } from '../../preview/preview-words.ts';
import { isOwn, isTruncatedOutput, markOwn } from '../../protocol/truncated-output.ts';
import { modelText } from '../../text/frame.ts';
import { byteLength, countLines, textPieces } from '../../text/utf.ts';
import { deliverOutput } from '../deliver-output.ts';
import type { Delivery } from '../delivery.ts';
import { isForeignEnvelope } from '../foreign-envelope.ts';
import { keepText } from '../keep-text.ts';
import { type MeasuredOutput, measureOutput } from '../measure-output.ts';
import { tellOfTruncation } from '../tell-of-truncation.ts';
import { skipsTruncation } from '../tool-outcome.ts';
import type { TruncationEvent } from '../truncation-event.ts';
import { workInTurns } from '../work-in-turns.ts';
import { MAX_ITEMS, type ProviderShape, type RebuiltShape, shapeOf, withoutPicture } from './provider-shape.ts';
import { fitTogether } from './shared-room.ts';

/**
 * For tools whose output a provider checks against a shape of its own (OpenAI's shell): an envelope in its place would make the
 * provider refuse this request and every later one of the chat. So the shape stays and the long texts in it get shorter, down
 * to `previewBytes` together. The longest says what is missing and where all of it is.
 */
export async function deliverInPlace(output: unknown, delivery: Delivery): Promise<unknown> {
  if (answersForItself(output, delivery)) return output;
  const ended = { ...delivery, endedAt: now() };
  const shape = shapeOf(output);
  if (!shape) return deliverText(output, ended);
  const measured = await measureShape(output, { shape, limits: delivery.limits });
  return measured.reason ? shorten(output, { shape, reason: measured.reason, delivery: ended }) : measured.deliverable;
}

/** The outputs of a generator: while it works, those that are too large are left out. */
export async function* deliverValuesInPlace(
  values: AsyncIterable<unknown>,
  delivery: Delivery,
): AsyncGenerator<unknown> {
  let leftOut: { output: unknown } | undefined;
  const inTurns = workInTurns();
  for await (const item of values) {
    const output = await item;
    const measured = await inTurns(() => measureAny(output, delivery));
    leftOut = measured.reason && { output };
    if (!measured.reason) yield measured.deliverable;
  }
  if (leftOut) yield await deliverInPlace(leftOut.output, delivery);
}

async function measureAny(output: unknown, delivery: Delivery): Promise<MeasuredOutput> {
  if (isForeignEnvelope(output)) return { reason: 'bytes' };
  if (answersForItself(output, delivery)) return { deliverable: output };
  const shape = shapeOf(output);
  return shape ? measureShape(output, { shape, limits: delivery.limits }) : measureOutput(output, delivery.limits);
}

/** Nobody bounds twice what was bounded here: the artifact it names would then not be the full output. */
function answersForItself(output: unknown, delivery: Delivery): boolean {
  return (isOwn(output) && shapeOf(output) !== undefined) || skipsTruncation(output, delivery);
}

/** All of it but the picture as JSON, and the lines of its texts. Of what JSON cannot carry, the members that are sent are. */
export async function measureShape(
  output: unknown,
  { shape, limits }: { shape: ProviderShape; limits: ResolvedLimits },
): Promise<MeasuredOutput> {
  const counted = shape.picture === undefined ? output : await withoutPicture(output);
  const measured = await measureOutput(counted, limits);
  if (measured.reason === 'bytes') return measured;
  if (await hasMoreLines(shape.texts(), limits.maxLines)) return { reason: 'lines' };
  if (measured.reason) return measured;
  const isCarried = measured.deliverable === counted;
  return { deliverable: isCarried ? output : shape.rebuild(Number.POSITIVE_INFINITY).sent };
}

async function hasMoreLines(texts: Iterable<string>, maxLines: number): Promise<boolean> {
  let lines = 0;
  for await (const more of pace(lineCounts(texts))) {
    lines += more;
    if (lines > maxLines) return true;
  }
  return false;
}

const CHARS_PER_STEP = 128 * 1024;

/** In steps; an empty text is a line too. */
function* lineCounts(texts: Iterable<string>): Generator<number> {
  for (const text of texts) {
    yield 1;
    for (const piece of textPieces(text, CHARS_PER_STEP)) yield countLines(piece) - 1;
  }
}

async function shorten(
  output: unknown,
  { shape, reason, delivery }: { shape: ProviderShape; reason: TruncationEvent['reason']; delivery: Delivery },
): Promise<unknown> {
  // Now, as the tool returned them.
  const rebuilt = shape.rebuild(MAX_ITEMS);
  const { outcome, scanned, hasChanged } = await keepText(output, delivery);
  const { lines, bytes, chars } = scanned.scan;
  const path = outcome.status === 'saved' ? outcome.info.path : null;
  const part = { kind: 'sample', unit: 'characters', total: chars } as const;
  const hint = truncationHint({ path, tools: delivery.hintTools(), holdsRecords: looksLikeRecords(scanned.scan.head) });
  // A patch that does not apply; of a command, the exit code stands beside its text.
  const isError = rebuilt.sent.status === 'failed';
  const notice = truncationNotice({ toolName: delivery.toolName, isError, hasChanged, path, part });
  const text = hint === '' ? notice : `${notice}\n${hint}`;
  const shown = await shortenTexts(rebuilt, { limits: delivery.limits, text });
  tellOfTruncation(delivery, { reason, lines, bytes, ...shown, path, outcome });
  return markOwn(rebuilt.sent);
}

/** What is left of the texts, and what the model is sent of them. */
type ShownTexts = Pick<TruncationEvent, 'keptLines' | 'keptBytes' | 'sentBytes'>;

/** Where no text can stand (a screenshot alone), nothing that the model is sent is missing. */
export async function shortenTexts(
  { places }: RebuiltShape,
  { limits, text }: { limits: ResolvedLimits; text: string },
): Promise<ShownTexts> {
  const texts = places.map(({ holder, member }) => (typeof holder[member] === 'string' ? holder[member] : ''));
  const maxBytes = Math.max(0, limits.previewBytes - byteLength(modelText({ text, preview: '' })));
  const shown = await fitTogether(texts, { maxLines: limits.maxLines, maxBytes });
  const longest = indexOfLongest(texts);
  for (const [index, { holder, member }] of places.entries()) {
    const preview = shown[index] ?? '';
    if (index === longest) holder[member] = modelText({ text, preview });
    else if (member in holder) holder[member] = preview;
  }
  const kept = shown.filter((preview) => preview !== '');
  const keptBytes = kept.reduce((sum, preview) => sum + byteLength(preview), 0);
  const wordBytes = places.length === 0 ? 0 : byteLength(modelText({ text, preview: '' }));
  const keptLines = kept.reduce((sum, preview) => sum + countLines(preview), 0);
  return { keptLines, keptBytes, sentBytes: keptBytes + wordBytes };
}

function indexOfLongest(texts: readonly string[]): number {
  return texts.reduce((best, text, index) => (text.length > (texts[best]?.length ?? 0) ? index : best), 0);
}

/** What the provider would refuse in any case: as text it takes the way of every output, and other providers can replay it. */
async function deliverText(output: unknown, delivery: Delivery): Promise<unknown> {
  const delivered = await deliverOutput(output, { ...delivery, toModelOutput: undefined });
  if (!isOwn(delivered) || !isTruncatedOutput(delivered)) return delivered;
  return modelText({ text: delivered.text, preview: delivered.data.preview });
}
