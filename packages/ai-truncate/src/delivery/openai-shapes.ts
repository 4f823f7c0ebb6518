import { now } from '../deadlines.ts';
import { workInTurns } from '../pace.ts';
import type { ResolvedLimits } from '../preview/limits.ts';
import { isRecord } from '../protocol/guards.ts';
import { isOwn, isTruncatedOutput, markOwn } from '../protocol/truncated-output.ts';
import { modelText } from '../text/frame.ts';
import { deliverOutput } from './deliver-output.ts';
import type { Delivery } from './delivery.ts';
import { type MeasuredOutput, measureOutput } from './measure-output.ts';
import { deliverShell, measureShell, shellRunsOf } from './openai-shell.ts';
import { inspectSafely, isForeignEnvelope, skipsTruncation } from './trusted-output.ts';

/**
 * The tools whose outputs OpenAI checks against shapes of its own, by their id. It refuses an envelope in place of such a shape,
 * in this request and every later one of the chat.
 */
export const SHAPED_BY_OPENAI: ReadonlySet<string> = new Set([
  'openai.shell',
  'openai.local_shell',
  'openai.apply_patch',
  'openai.computer',
  'openai.tool_search',
]);

/**
 * Bounds the output of a tool of OpenAI's inside its shape: the texts in it get shorter, and the longest says what is missing and
 * where the full output is.
 */
export async function deliverShaped(output: unknown, delivery: Delivery): Promise<unknown> {
  if (answersForItself(output, delivery)) return output;
  const ended = { ...delivery, endedAt: now() };
  const runs = shellRunsOf(output);
  if (runs) return deliverShell(output, { runs, delivery: ended });
  if (await isSmallWhole(output, delivery.limits)) return output;
  const part = textPartOf(output);
  const delivered = await deliverText(part ? part.bounded : output, ended);
  if (!part) return delivered;
  return delivered === part.bounded ? output : markOwn({ ...part.status, output: delivered });
}

/** The outputs of a generator: while it works, those that are too large are left out. */
export async function* deliverShapedValues(
  values: AsyncIterable<unknown>,
  delivery: Delivery,
): AsyncGenerator<unknown> {
  let leftOut: { output: unknown } | undefined;
  const inTurns = workInTurns();
  for await (const item of values) {
    const output = await item;
    const measured = await inTurns(() => measureShaped(output, delivery));
    leftOut = measured.reason && { output };
    if (!measured.reason) yield measured.deliverable;
  }
  if (leftOut) yield await deliverShaped(leftOut.output, delivery);
}

async function measureShaped(output: unknown, delivery: Delivery): Promise<MeasuredOutput> {
  if (isForeignEnvelope(output)) return { reason: 'bytes' };
  if (answersForItself(output, delivery)) return { deliverable: output };
  const { limits } = delivery;
  const runs = shellRunsOf(output);
  if (runs) return measureShell(output, { runs, limits });
  if (await isSmallWhole(output, limits)) return { deliverable: output };
  const part = textPartOf(output);
  const measured = await measureOutput(part ? part.bounded : output, limits);
  if (measured.reason || !part) return measured;
  return measured.deliverable === part.bounded ? { deliverable: output } : { reason: 'bytes' };
}

/** Nobody bounds twice what was bounded here: the artifact it names would then not be the full output. */
function answersForItself(output: unknown, delivery: Delivery): boolean {
  const isShaped = () => shellRunsOf(output) !== undefined || textPartOf(output) !== undefined;
  return (isOwn(output) && isShaped()) || skipsTruncation(output, delivery);
}

/**
 * The string of a local shell or a patch, which text of any length fits. Where there are more members, which OpenAI drops, the
 * text is that of all of them.
 */
function textPartOf(output: unknown): { bounded: unknown; status: { status?: unknown } } | undefined {
  return inspectSafely(output, (members) => {
    const { status, output: text } = members;
    const isPatch = isStatus(status);
    if (typeof members.toJSON === 'function' || (typeof text !== 'string' && !isPatch)) return undefined;
    const isAll = typeof text === 'string' && hasOnly(members, ['status', 'output']);
    return { bounded: isAll ? text : output, status: isPatch ? { status } : {} };
  });
}

/** What OpenAI would refuse in any case: as text it takes the way of every output, and other providers can replay it. */
async function deliverText(output: unknown, delivery: Delivery): Promise<unknown> {
  const delivered = await deliverOutput(output, { ...delivery, toModelOutput: undefined });
  if (!isOwn(delivered) || !isTruncatedOutput(delivered)) return delivered;
  return modelText({ text: delivered.text, preview: delivered.data.preview });
}

/** What OpenAI and the SDK call these tools. */
const OPENAI_NAMES: ReadonlySet<string> = new Set([
  'local_shell',
  'localShell',
  'apply_patch',
  'computer',
  'tool_search',
  'toolSearch',
]);

/**
 * How JSON can be bounded: as the runs of a shell; by its one string `output`, of a local shell and a patch; not at all, of a
 * screenshot and definitions of tools, where it is small enough; or as text.
 */
export type ShapeOfJson = 'shell' | 'output' | 'whole' | 'text';

/**
 * The result itself decides, never the tools of the request: those change, and old bytes would with them. Runs of a shell have a
 * form that nothing else has. The other forms are those of many tools, so the name has to be OpenAI's too.
 */
export async function shapeOfJson(
  value: unknown,
  { toolName, openAiTools, limits }: { toolName: string; openAiTools: readonly string[]; limits: ResolvedLimits },
): Promise<ShapeOfJson> {
  const shape = inspectSafely(value, (members) => {
    // What it is sent as, only its `toJSON` knows.
    if (typeof members.toJSON === 'function') return 'text';
    if (isRunsOfShell(members)) return 'shell';
    if (!OPENAI_NAMES.has(toolName) && !openAiTools.includes(toolName)) return 'text';
    if (typeof members.output === 'string') return hasOnly(members, namesBesideOutput(members)) ? 'output' : 'text';
    return hasOnly(members, WHOLE_MEMBERS) ? 'whole' : 'text';
  });
  if (shape !== 'whole') return shape ?? 'text';
  return (await isSmallWhole(value, limits)) ? 'whole' : 'text';
}

/** An output with more members than these is that of another tool, and OpenAI would drop the rest. */
function namesBesideOutput(members: Record<string, unknown>): readonly string[] {
  return isStatus(members.status) ? ['status', 'output'] : ['output'];
}

const WHOLE_MEMBERS = ['tools', 'output', 'acknowledgedSafetyChecks'];

/**
 * A screenshot or definitions of tools up to this size stay whole, because a part of either would be another one. The definitions
 * of two hundred tools, and a screenshot with its safety checks, are below this.
 */
const MAX_WHOLE_BYTES = 256 * 1024;
/** Enough for a PNG of a 4K screen. A model is charged for the pixels of an image, not for its characters. */
const MAX_PICTURE_CHARS = 8 * 1024 ** 2;

const PICTURE = /^data:image\/[\w.+-]{1,64};base64,/;
const NO_BASE64 = /[^\w+/=-]/;

/** A screenshot or definitions of tools, and small enough to stay. */
async function isSmallWhole(output: unknown, limits: ResolvedLimits): Promise<boolean> {
  const counted = inspectSafely(output, countedMembers);
  if (!counted) return false;
  // Whatever is over the limit is too large, also where a preview would not be smaller.
  const whole = { ...limits, maxBytes: MAX_WHOLE_BYTES, maxChars: MAX_WHOLE_BYTES, previewBytes: 0 };
  const measured = await measureOutput(counted, whole);
  return !measured.reason && measured.deliverable === counted;
}

/** What counts of a screenshot and of definitions of tools; `undefined` for everything else. */
function countedMembers(members: Record<string, unknown>): Record<string, unknown> | undefined {
  const { output, tools } = members;
  if (typeof members.toJSON === 'function') return undefined;
  if (Array.isArray(tools)) return output === undefined ? members : undefined;
  if (!isRecord(output) || output.type !== 'computer_screenshot' || !hasOnly(output, SCREENSHOT_MEMBERS)) {
    return undefined;
  }
  return isPicture(output.imageUrl) ? { ...members, output: { ...output, imageUrl: '' } } : members;
}

const SCREENSHOT_MEMBERS = ['type', 'imageUrl', 'fileId', 'detail'];

/** An image that is there. The address of one on the web is text, and counts. */
function isPicture(url: unknown): boolean {
  if (typeof url !== 'string' || url.length > MAX_PICTURE_CHARS) return false;
  const [beginning] = PICTURE.exec(url) ?? [];
  return beginning !== undefined && !NO_BASE64.test(url.slice(beginning.length));
}

function isRunsOfShell(members: Record<string, unknown>): boolean {
  const { output } = members;
  if (!Array.isArray(output) || !hasOnly(members, ['output', 'maxOutputLength'])) return false;
  return [output.at(0), output.at(-1)].every(isRun);
}

function isRun(run: unknown): boolean {
  return isRecord(run) && typeof run.stdout === 'string' && typeof run.stderr === 'string' && isRecord(run.outcome);
}

function isStatus(status: unknown): boolean {
  return status === 'completed' || status === 'failed';
}

function hasOnly(members: object, names: readonly string[]): boolean {
  return Object.keys(members).every((name) => names.includes(name));
}
