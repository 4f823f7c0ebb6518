import { shortened } from './text/utf.ts';

/** A bundle can contain two copies of a class. The mark is the same in both. */
const ERROR_MARK = Symbol.for('ai-truncate.error');

/** The kind of error, for programs. Codes are stable, and all are listed in docs/stores.md. */
export type AiTruncateErrorCode =
  | 'INVALID_OPTION'
  | 'ARTIFACT_NOT_FOUND'
  | 'ARTIFACT_TOO_LARGE'
  | 'ARTIFACT_INFO_BROKEN'
  | 'ARTIFACT_UNREADABLE'
  | 'SEARCH_TIMEOUT'
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
  | 'UNSUPPORTED_RUNTIME'
  | 'UNSAFE_DIRECTORY'
  | 'UNSAFE_FILE'
  | 'TOOL_ERROR_TRUNCATED'
  | 'TOOL_ERROR_REDACTED'
  | 'NAME_TAKEN'
  | 'BUDGET_SPENT'
  | 'AGENT_TIMEOUT'
  | 'AGENT_NO_ANSWER';

/** The base class of every error of this package. The `code` is stable, and the message names the next step. */
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

/** An invalid option. It is thrown where the option is set, and never later inside a tool call. */
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

const MAX_VALUE_CHARS = 40;

/** A value in a few words. Members are not shown, because they may be secrets. */
function describe(value: unknown): string {
  if (typeof value === 'string') return `'${shortened(value, MAX_VALUE_CHARS)}'`;
  if (typeof value === 'bigint') return `${shortened(String(value), MAX_VALUE_CHARS)}n`;
  if (typeof value === 'number' || typeof value === 'boolean' || value == null) return String(value);
  if (typeof value === 'function')
    return value.name ? `the function \`${shortened(value.name, MAX_VALUE_CHARS)}\`` : 'a function';
  if (typeof value !== 'object') return `a ${typeof value}`;
  if (Array.isArray(value)) return 'an array';
  const name: unknown = value.constructor?.name;
  if (typeof name !== 'string' || name === '' || name === 'Object') return 'an object';
  return name === 'Promise' ? 'a promise' : `an instance of ${shortened(name, MAX_VALUE_CHARS)}`;
}
