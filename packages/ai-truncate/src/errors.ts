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

function describe(value: unknown): string {
  if (typeof value === 'string') return value.length > 40 ? `'${value.slice(0, 40)}…'` : `'${value}'`;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number' || typeof value === 'boolean' || value == null) return String(value);
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (Array.isArray(value)) return 'an array';
  const name: unknown = value.constructor?.name;
  return typeof name === 'string' && name !== '' && name !== 'Object' ? `an instance of ${name}` : 'an object';
}
