/** A bundle can hold two copies of a class; the mark is the same in both. */
const ERROR_MARK = Symbol.for('ai-truncate.error');

/** What every error of this package is. The `code` is stable; the message names the next step. */
export class AiTruncateError extends Error {
  readonly code: string;

  constructor(message: string, options: { code: string; cause?: unknown }) {
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

  constructor(options: { option: string; value: unknown; expected: string }) {
    super(`\`${options.option}\` must be ${options.expected}; got ${describe(options.value)}.`, {
      code: 'INVALID_OPTION',
    });
    this.name = 'InvalidOptionError';
    this.option = options.option;
  }

  static override isInstance(value: unknown): value is InvalidOptionError {
    return AiTruncateError.isInstance(value) && value.code === 'INVALID_OPTION';
  }
}

/** Throws unless `value` is a whole number in range. */
export function requireWholeNumber(
  option: string,
  range: { value: unknown; min: number; max?: number; maxName?: string; because?: string | undefined },
): void {
  const { value, min, max = Number.MAX_SAFE_INTEGER, maxName, because } = range;
  if (Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max) return;
  const upper =
    maxName === undefined ? (Number(value) > max ? ` and at most ${max}` : '') : ` and at most \`${maxName}\` (${max})`;
  throw new InvalidOptionError({
    option,
    value,
    expected: `a whole number of at least ${min}${upper}${because ? ` ${because}` : ''}`,
  });
}

function describe(value: unknown): string {
  if (typeof value === 'string') return value.length > 40 ? `'${value.slice(0, 40)}…'` : `'${value}'`;
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number' || typeof value === 'boolean' || value == null) return String(value);
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
}
