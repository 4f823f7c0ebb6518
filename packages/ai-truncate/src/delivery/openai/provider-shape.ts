import { withoutUndefined } from '../../options.ts';
import { pace } from '../../pace.ts';
import { isRecord } from '../../protocol/guards.ts';
import { codePointStart, detach } from '../../text/utf.ts';

/** The tools whose outputs OpenAI checks, by their id: texts of any length fit the shapes. */
export const SHAPED_BY_OPENAI: ReadonlySet<string> = new Set([
  'openai.shell',
  'openai.local_shell',
  'openai.apply_patch',
  'openai.computer',
]);

/** One of the shapes that OpenAI checks the outputs of its tools against; members it does not know, it drops. */
export interface ProviderShape {
  /** All texts in it that the model reads, whatever the length of its list. */
  texts(): Iterable<string>;
  /** A screenshot: half of it would be none, and it is not counted. */
  picture?: string | undefined;
  /** A copy with the members that are sent and nothing else; of a list longer than `maxItems` the first and the last half. */
  rebuild(maxItems: number): RebuiltShape;
}

export interface RebuiltShape {
  sent: Record<string, unknown>;
  /** Where its texts stand, or may stand. */
  places: TextPlace[];
}

export interface TextPlace {
  holder: Record<string, unknown>;
  member: string;
}

/** Of a longer list so many items stay. */
export const MAX_ITEMS = 8;

/** `undefined` for what the provider would refuse, as far as a look at it tells. Never throws. */
export function shapeOf(output: unknown): ProviderShape | undefined {
  try {
    // What it is sent as, only its `toJSON` knows.
    if (!isRecord(output) || typeof output.toJSON === 'function') return undefined;
    const inner = output.output;
    if (Array.isArray(inner)) return isListOfRuns(inner) ? shellShape(output, inner) : undefined;
    if (isRecord(inner)) return isScreenshot(inner) ? computerShape(output, inner) : undefined;
    const isPatch = output.status === 'completed' || output.status === 'failed';
    return isPatch || typeof inner === 'string' ? textShape(output) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The same members but the picture, to be measured. By their descriptors: a getter that throws would otherwise throw here, and
 * be gone when it matters whether JSON can carry the output.
 */
export async function withoutPicture(output: unknown): Promise<unknown> {
  const inner = member(output, 'output');
  try {
    return await copyOf(output as object, { output: await copyOf(inner as object, { imageUrl: '' }) });
  } catch {
    return output;
  }
}

async function copyOf(source: object, instead: Record<string, unknown>): Promise<object> {
  const copy = Object.create(null) as object;
  for await (const key of pace(Object.keys(source))) {
    const descriptor = Object.getOwnPropertyDescriptor(source, key);
    if (descriptor) Object.defineProperty(copy, key, { ...descriptor, configurable: true });
  }
  for (const [key, value] of Object.entries(instead)) {
    Object.defineProperty(copy, key, { value, enumerable: true, configurable: true });
  }
  return copy;
}

/** `openai.shell` */
function shellShape(output: object, runs: readonly unknown[]): ProviderShape {
  return {
    *texts() {
      for (const run of itemsOf(runs)) yield* [textOf(run, 'stdout') ?? '', textOf(run, 'stderr') ?? ''];
    },
    rebuild(maxItems) {
      const sent = someOf(runs, maxItems).map((run) => {
        const outcome = member(run, 'outcome');
        return {
          stdout: textOf(run, 'stdout') ?? '',
          stderr: textOf(run, 'stderr') ?? '',
          outcome: withDefined({ type: wordOf(outcome, 'type'), exitCode: numberOf(outcome, 'exitCode') }),
        };
      });
      return {
        sent: withDefined({ maxOutputLength: numberOf(output, 'maxOutputLength'), output: sent }),
        places: sent.flatMap((holder) => [
          { holder, member: 'stdout' },
          { holder, member: 'stderr' },
        ]),
      };
    },
  };
}

/** `openai.local_shell` and `openai.apply_patch` */
function textShape(output: object): ProviderShape {
  return {
    *texts() {
      yield textOf(output, 'output') ?? '';
    },
    rebuild() {
      const sent = withDefined({ status: wordOf(output, 'status'), output: textOf(output, 'output') });
      return { sent, places: [{ holder: sent, member: 'output' }] };
    },
  };
}

/** `openai.computer` */
function computerShape(output: object, screenshot: object): ProviderShape {
  const checks = member(output, 'acknowledgedSafetyChecks');
  const list: readonly unknown[] | undefined = Array.isArray(checks) ? checks : undefined;
  const picture = textOf(screenshot, 'imageUrl');
  return {
    picture,
    *texts() {
      for (const check of itemsOf(list ?? [])) yield textOf(check, 'message') ?? '';
    },
    rebuild(maxItems) {
      const sentChecks =
        list &&
        someOf(list, maxItems).map((check) =>
          withDefined({
            id: idOf(check, 'id'),
            code: wordOf(check, 'code'),
            message: textOf(check, 'message'),
          }),
        );
      const sentScreenshot = withDefined({
        type: wordOf(screenshot, 'type'),
        imageUrl: picture,
        fileId: idOf(screenshot, 'fileId'),
        detail: wordOf(screenshot, 'detail'),
      });
      return {
        sent: withDefined({ output: sentScreenshot, acknowledgedSafetyChecks: sentChecks }),
        places: (sentChecks ?? []).map((holder) => ({ holder, member: 'message' })),
      };
    },
  };
}

function isListOfRuns(list: readonly unknown[]): boolean {
  return someOf(list, MAX_ITEMS).every(
    (run) => textOf(run, 'stdout') !== undefined || textOf(run, 'stderr') !== undefined,
  );
}

function isScreenshot(value: Record<string, unknown>): boolean {
  return value.type === 'computer_screenshot' || typeof value.imageUrl === 'string' || typeof value.fileId === 'string';
}

function* itemsOf(list: readonly unknown[]): Generator<unknown> {
  const length = lengthOf(list);
  for (let index = 0; index < length; index++) yield member(list, index);
}

function someOf(list: readonly unknown[], maxItems: number): unknown[] {
  const length = lengthOf(list);
  const half = maxItems / 2;
  const indexOf = (index: number) => (length <= maxItems || index < half ? index : length - maxItems + index);
  return Array.from({ length: Math.min(length, maxItems) }, (_, index) => member(list, indexOf(index)));
}

function lengthOf(list: readonly unknown[]): number {
  return numberOf(list, 'length') ?? 0;
}

/** A getter that throws must not fail a tool that succeeded. */
function member(value: unknown, key: string | number): unknown {
  try {
    return (value as Record<string | number, unknown>)[key];
  } catch {
    return undefined;
  }
}

function textOf(value: unknown, key: string): string | undefined {
  const text = member(value, key);
  return typeof text === 'string' ? text : undefined;
}

function numberOf(value: unknown, key: string): number | undefined {
  const number = member(value, key);
  return typeof number === 'number' ? number : undefined;
}

const MAX_WORD = 64;
/** Longer than any of OpenAI's: the beginning of an id is another one. */
const MAX_ID = 256;

function wordOf(value: unknown, key: string, maxChars: number = MAX_WORD): string | undefined {
  const word = textOf(value, key);
  if (word === undefined || word.length <= maxChars) return word;
  return detach(word.slice(0, codePointStart(word, maxChars)));
}

function idOf(value: unknown, key: string): string | undefined {
  return wordOf(value, key, MAX_ID);
}

function withDefined(members: Record<string, unknown>): Record<string, unknown> {
  return withoutUndefined(members);
}
