import { workInTurns } from '../pace.ts';
import { fitsPreview, MIN_LINES_OF_ENDS, type ResolvedLimits } from '../preview/limits.ts';
import { inspectSafely, isRecord } from '../protocol/guards.ts';
import { isOwn, isTruncatedOutput, markOwn } from '../protocol/truncated-output.ts';
import { framedPreviewOf, modelText } from '../text/frame.ts';
import { byteLength, countLines } from '../text/utf.ts';
import { deliverOutput } from './deliver-output.ts';
import type { Delivery } from './delivery.ts';
import { isForeignEnvelope, measureOutput, skipsTruncation } from './measure-output.ts';
import { redactEach } from './redact-output.ts';
import { redactValue } from './redact-value.ts';

/**
 * The tools whose outputs OpenAI checks against its own shapes, by their id. It refuses an envelope in place of such a shape,
 * in this request and every later one of the chat.
 */
export const SHAPED_BY_OPENAI: ReadonlySet<string> = new Set([
  'openai.shell',
  'openai.local_shell',
  'openai.apply_patch',
  'openai.computer',
  'openai.tool_search',
]);

/** The part of an output that is bounded, and the rest around it. */
export interface Shape<LIMITS extends ResolvedLimits = ResolvedLimits> {
  /** The value that is measured, saved and previewed: the longest text, or the whole output when several texts are large. */
  content: unknown;
  /** The limits of the content, reduced by the texts next to it. */
  limits: LIMITS;
  /** The output with a bounded text in place of the content. */
  around(text: string): unknown;
}

/**
 * Bounds the output of a tool of OpenAI inside its shape: a preview of the content replaces its longest text. An output of
 * another shape, which OpenAI would refuse in any case, is delivered as bounded text.
 */
export async function deliverShaped(output: unknown, delivery: Delivery): Promise<unknown> {
  const { redaction } = delivery;
  return boundShaped(redaction ? await redactValue(output, redaction) : output, delivery);
}

async function boundShaped(output: unknown, delivery: Delivery): Promise<unknown> {
  const part = await boundedPart(output, delivery);
  if (!part) return output;
  const { content, limits } = part;
  const delivered = await deliverOutput(content, { ...delivery, limits, toModelOutput: undefined });
  if (delivered === content) return output;
  const isCut = isOwn(delivered) && isTruncatedOutput(delivered);
  const text = isCut ? modelText({ text: delivered.text, preview: delivered.data.preview }) : String(delivered);
  const bounded = part.around(text);
  return isRecord(bounded) ? markOwn(bounded) : bounded;
}

/** The outputs of a generator. While it runs, outputs over the limits are left out. */
export async function* deliverShapedValues(
  values: AsyncIterable<unknown>,
  delivery: Delivery,
): AsyncGenerator<unknown> {
  let leftOut: { output: unknown } | undefined;
  const inTurns = workInTurns();
  for await (const item of redactEach(values, delivery.redaction)) {
    const output = await item;
    leftOut = (await inTurns(() => isWithinLimits(output, delivery))) ? undefined : { output };
    if (!leftOut) yield output;
  }
  if (leftOut) yield await deliverShaped(leftOut.output, delivery);
}

async function isWithinLimits(output: unknown, delivery: Delivery): Promise<boolean> {
  if (isForeignEnvelope(output)) return false;
  const part = await boundedPart(output, delivery);
  if (!part) return true;
  const measured = await measureOutput(part.content, part.limits);
  return !measured.reason && measured.deliverable === part.content;
}

/** Returns `undefined` if the output does not change, because it is small, was bounded before, or skips truncation. */
async function boundedPart(output: unknown, delivery: Delivery): Promise<Shape | undefined> {
  const { limits } = delivery;
  const shape = shapeOf(output, limits);
  // An output that was bounded here is not bounded again, because its artifact would then not be the full output.
  if ((shape && isOwn(output)) || skipsTruncation(output, delivery)) return undefined;
  if (!shape && (await isSmallWhole(output, limits))) return undefined;
  return shape ?? { content: output, limits, around: (text) => text };
}

/** The names that OpenAI and the SDK use for these tools. */
const OPENAI_NAMES = new Set(['local_shell', 'localShell', 'apply_patch', 'computer', 'tool_search', 'toolSearch']);

/**
 * How JSON of the prompt can be bounded: inside its shape; not at all, for a small screenshot and small definitions of tools; or
 * as text. Only the result decides, not the tools of the request, because changing the tools would then change the bytes of old
 * results. Only a shell's runs have their form. Many tools share the other forms, so for these the name has to be OpenAI's too.
 */
export async function shapeOfJson<LIMITS extends ResolvedLimits>(
  value: unknown,
  { toolName, openAiTools, limits }: { toolName: string; openAiTools: readonly string[]; limits: LIMITS },
): Promise<Shape<LIMITS> | 'whole' | 'text'> {
  const isNamed = OPENAI_NAMES.has(toolName) || openAiTools.includes(toolName);
  const shape = shapeOf(value, limits);
  // An output with other members comes from another tool, and OpenAI would drop these members.
  const isKnown = inspectSafely(value, (members) => {
    if (Array.isArray(members.output)) return hasOnly(members, ['output', 'maxOutputLength']);
    if (!isNamed) return false;
    if (typeof members.output !== 'string') return hasOnly(members, ['tools', 'output', 'acknowledgedSafetyChecks']);
    return hasOnly(members, isStatus(members.status) ? ['status', 'output'] : ['output']);
  });
  if (!isKnown) return 'text';
  if (isBoundedShell(value, limits)) return 'whole';
  return shape ?? ((await isSmallWhole(value, limits)) ? 'whole' : 'text');
}

/** Whether a shell has the form and size of one bounded here. It is then not changed, so that bounding twice changes nothing. */
function isBoundedShell(value: unknown, limits: ResolvedLimits): boolean {
  const isBounded = inspectSafely(value, ({ output }) => {
    if (!Array.isArray(output) || output.length > MAX_RUNS || !output.every(isRun)) return false;
    const texts = output.flatMap(({ stdout, stderr }) => [stdout, stderr]);
    const chars = texts.reduce((sum, { length }) => sum + length, 0);
    if (chars > limits.previewBytes || !fitsPreview(texts.join(''), limits)) return false;
    return texts.some((text) => framedPreviewOf(text) !== undefined);
  });
  return isBounded === true;
}

function shapeOf<LIMITS extends ResolvedLimits>(output: unknown, limits: LIMITS): Shape<LIMITS> | undefined {
  return inspectSafely(output, (members) => {
    // Only its `toJSON` determines its JSON.
    if (typeof members.toJSON === 'function') return undefined;
    return Array.isArray(members.output) ? shapeOfRuns(members, limits) : shapeOfText(members, limits);
  });
}

/** The string of a local shell or a patch. */
function shapeOfText<LIMITS extends ResolvedLimits>(
  members: Record<string, unknown>,
  limits: LIMITS,
): Shape<LIMITS> | undefined {
  const { status, output } = members;
  if (typeof output !== 'string' && !isStatus(status)) return undefined;
  const isAll = typeof output === 'string' && hasOnly(members, ['status', 'output']);
  const around = (text: string) => ({ ...(isStatus(status) && { status }), output: text });
  return { content: isAll ? output : members, limits, around };
}

/** A longer list is cut to this many runs: half from its start, half from its end. */
const MAX_RUNS = 8;

/** The runs of a shell. OpenAI drops members that it does not know. */
function shapeOfRuns<LIMITS extends ResolvedLimits>(
  members: Record<string, unknown>,
  limits: LIMITS,
): Shape<LIMITS> | undefined {
  const { maxOutputLength, output: all } = members as { maxOutputLength?: unknown; output: unknown[] };
  const some = all.length <= MAX_RUNS ? all : [...all.slice(0, MAX_RUNS / 2), ...all.slice(-MAX_RUNS / 2)];
  if (some.length === 0 || !some.every(isRun)) return undefined;
  const texts = some.flatMap(({ stdout, stderr }) => [stdout, stderr]);
  const outcomes = some.map(({ outcome }) => sentOutcome(outcome));
  const longest = texts.reduce((best, text, index) => (text.length > (texts[best]?.length ?? 0) ? index : best), 0);
  const others = texts.with(longest, '');
  // Each text starts with a line break, so that its lines count separately.
  const ownLines = others.map((text) => text && `\n${text}`);
  const beside = ownLines.join('').slice(0, limits.previewBytes);
  const otherBytes = byteLength(beside);
  const staysBeside = otherBytes <= limits.previewBytes / 4;
  const isAll =
    staysBeside &&
    all.length <= MAX_RUNS &&
    hasOnly(members, ['output', 'maxOutputLength']) &&
    some.every((run) => hasOnly(run, ['stdout', 'stderr', 'outcome']) && isSentOutcome(run.outcome));
  const around = (text: string) => {
    const sent = (staysBeside ? others : others.map(() => '')).with(longest, text);
    const output = outcomes.map((outcome, run) => ({ stdout: sent[2 * run], stderr: sent[2 * run + 1], outcome }));
    return { ...(typeof maxOutputLength === 'number' && { maxOutputLength }), output };
  };
  const { maxBytes, previewBytes, previewChars, keep } = limits;
  const maxLines = Math.max(limits.maxLines - countLines(beside) + 1, keep === 'ends' ? MIN_LINES_OF_ENDS : 1);
  const left = {
    ...limits,
    maxLines,
    maxBytes: maxBytes - otherBytes,
    previewBytes: previewBytes - otherBytes,
    previewChars: previewChars - beside.length,
  };
  return { content: isAll ? texts[longest] : members, limits: staysBeside ? left : limits, around };
}

interface Run {
  stdout: string;
  stderr: string;
  outcome: Record<string, unknown>;
}

function isRun(run: unknown): run is Run {
  return isRecord(run) && typeof run.stdout === 'string' && typeof run.stderr === 'string' && isRecord(run.outcome);
}

/** Whether OpenAI receives the outcome unchanged. */
function isSentOutcome(outcome: Record<string, unknown>): boolean {
  const { type, exitCode } = sentOutcome(outcome);
  return hasOnly(outcome, ['type', 'exitCode']) && type === outcome.type && exitCode === outcome.exitCode;
}

function sentOutcome({ type, exitCode }: Record<string, unknown>): { type: string; exitCode?: number } {
  return type === 'timeout' ? { type } : { type: 'exit', exitCode: typeof exitCode === 'number' ? exitCode : 1 };
}

/**
 * A screenshot or definitions of tools up to this size are not changed, because a part of them would have another meaning. The
 * definitions of two hundred tools, and a screenshot with its safety checks, are smaller.
 */
const MAX_WHOLE_BYTES = 256 * 1024;
/** Enough for a PNG of a 4K screen. A model is charged for the pixels of an image, not for its characters. */
const MAX_PICTURE_CHARS = 8 * 1024 ** 2;
const PICTURE = /^data:image\/[\w.+-]{1,64};base64,/;
const NO_BASE64 = /[^\w+/=-]/;
const SCREENSHOT_MEMBERS = ['type', 'imageUrl', 'fileId', 'detail'];

/** Whether it is a screenshot, or definitions of tools, and small enough to stay. The image of a screenshot does not count. */
async function isSmallWhole(output: unknown, limits: ResolvedLimits): Promise<boolean> {
  const counted = inspectSafely(output, (members) => {
    if (typeof members.toJSON === 'function') return undefined;
    if (Array.isArray(members.tools)) return members.output === undefined ? members : undefined;
    const { output: shot } = members;
    if (!isRecord(shot) || shot.type !== 'computer_screenshot' || !hasOnly(shot, SCREENSHOT_MEMBERS)) return undefined;
    return isPicture(shot.imageUrl) ? { ...members, output: { ...shot, imageUrl: '' } } : members;
  });
  if (!counted) return false;
  // Every output over the limit counts, even if a preview would not be smaller.
  const maxLines = Number.POSITIVE_INFINITY;
  const whole = { ...limits, maxLines, maxBytes: MAX_WHOLE_BYTES, maxChars: MAX_WHOLE_BYTES, previewBytes: 0 };
  const measured = await measureOutput(counted, whole);
  return !measured.reason && measured.deliverable === counted;
}

/** An embedded image. The address of an image on the web is text, and counts. */
function isPicture(url: unknown): boolean {
  if (typeof url !== 'string' || url.length > MAX_PICTURE_CHARS) return false;
  const [beginning] = PICTURE.exec(url) ?? [];
  return beginning !== undefined && !NO_BASE64.test(url.slice(beginning.length));
}

function isStatus(status: unknown): boolean {
  return status === 'completed' || status === 'failed';
}

function hasOnly(members: object, names: readonly string[]): boolean {
  return Object.keys(members).every((name) => names.includes(name));
}
