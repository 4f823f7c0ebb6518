/** A bundle can hold two copies of a class; the mark is the same in both. */
const ERROR_MARK = Symbol.for('ai-truncate.error');

/** What went wrong, for a program: stable, and each is in the table of docs/stores.md. */
export type AiTruncateErrorCode =
  | 'INVALID_OPTION'
  | 'ARTIFACT_NOT_FOUND'
  | 'ARTIFACT_TOO_LARGE'
  | 'ARTIFACT_INFO_BROKEN'
  | 'OUTPUT_CHANGED'
  | 'KEY_EXISTS'
  | 'STORE_FULL'
  | 'STORE_TIMEOUT'
  | 'STORE_UNREACHABLE'
  | 'STORE_RESTING'
  | 'STORE_ANSWER'
  | 'UNORDERED_LIST'
  | 'INCOMPLETE_READ'
  | 'INCOMPLETE_WRITE'
  | 'PACKAGE_MISSING'
  | 'TOKEN_MISSING'
  | 'TOKEN_INVALID'
  | 'UNSAFE_DIRECTORY'
  | 'UNSAFE_FILE'
  | 'TOOL_ERROR_TRUNCATED'
  | 'NAME_TAKEN'
  | 'BUDGET_SPENT'
  | 'AGENT_TIMEOUT'
  | 'AGENT_NO_ANSWER';

/** What every error of this package is. The `code` is stable; the message names the next step. */
export class AiTruncateError extends Error {
  readonly code: AiTruncateErrorCode;

  constructor(message: string, options: { code: AiTruncateErrorCode; cause?: unknown }) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined);
    this.name = 'AiTruncateError';
    this.code = options.code;
    Object.defineProperty(this, ERROR_MARK, { value: true });
  }

  static isInstance(value: unknown): value is AiTruncateError {
    return typeof value === 'object' && value !== null && ERROR_MARK in value;
  }
}

/** An option that cannot work. Thrown where the option is given, never later inside a tool call. */
export class InvalidOptionError extends AiTruncateError {
  /** The option's name, e.g. `maxLines` or `perTool.grep.maxLines`. */
  readonly option: string;

  constructor(options: { option: string } & ({ value: unknown; expected: string } | { message: string })) {
    const message =
      'message' in options
        ? options.message
        : `\`${options.option}\` must be ${options.expected}; got ${describe(options.value)}.`;
    super(message, { code: 'INVALID_OPTION' });
    this.name = 'InvalidOptionError';
    this.option = options.option;
  }

  static override isInstance(value: unknown): value is InvalidOptionError {
    return AiTruncateError.isInstance(value) && value.code === 'INVALID_OPTION';
  }
}

/** An option that does not exist. */
export class UnknownOptionError extends InvalidOptionError {
  constructor({ option, name, known }: { option: string; name: string; known: readonly string[] }) {
    const meant = likelyName(name, known);
    const next = meant === undefined ? `Known: ${known.join(', ')}.` : `Did you mean \`${meant}\`?`;
    super({ option, message: `Unknown option \`${option}\`. ${next}` });
    this.name = 'UnknownOptionError';
  }
}

/** Names that other libraries and our own files use for the same thing. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['direction', 'keep'],
  ['dir', 'directory'],
]);
const MAX_TYPOS = 2;

function likelyName(name: string, known: readonly string[]): string | undefined {
  const camelCase = name.slice(0, 100).replace(/[_-]+(\w)/g, (_, letter: string) => letter.toUpperCase());
  const alias = ALIASES.get(camelCase) ?? camelCase;
  if (known.includes(alias)) return alias;
  const distances = known.map((each) => [distance(alias.toLowerCase(), each.toLowerCase()), each] as const);
  const [nearest] = distances.sort(([one], [other]) => one - other);
  return nearest && nearest[0] <= Math.min(MAX_TYPOS, nearest[1].length / 3) ? nearest[1] : undefined;
}

/** How many letters to add, drop or replace to get from one word to the other. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (let at = 1; at <= other.length; at++) {
      const replaced = (row[at - 1] ?? 0) + (letter === other[at - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

function describe(value: unknown): string {
  if (typeof value === 'string') return value.length > 40 ? `'${value.slice(0, 40)}…'` : `'${value}'`;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number' || typeof value === 'boolean' || value == null) return String(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (Array.isArray(value)) return 'an array';
  const name: unknown = value.constructor?.name;
  return typeof name === 'string' && name !== '' && name !== 'Object' ? `an instance of ${name}` : 'an object';
}
