import { InvalidOptionError } from '../errors.ts';
import { requireOption, requireOptionalFunction, requireOptions } from '../options.ts';
import { createPatternFinder } from './redact-pattern.ts';
import type { Redactor, SpanFinder } from './redaction.ts';
import { createSecretFinder, type SecretRule } from './secret-finder.ts';

/** A pattern whose matches are replaced: a text in RE2 syntax, alone or with a name for the counts. */
export type RedactPattern = string | { readonly kind: string; readonly pattern: string } | SecretPattern;

const RULES: unique symbol = Symbol('rules');

/** A format of secrets from `secretPatterns`. */
export interface SecretPattern {
  /** The name in replacements and counts: `github-token`. */
  readonly kind: string;
  readonly [RULES]: readonly SecretRule[];
}

/** A pattern of this library. Only these run without RE2. */
export function secretPattern(kind: string, rules: readonly SecretRule[]): SecretPattern {
  return Object.freeze({ kind, [RULES]: rules });
}

/** The rules of a pattern of this library. */
export function rulesOf(pattern: SecretPattern): readonly SecretRule[] {
  return pattern[RULES];
}

/** Patterns, and the text that replaces their matches. */
export interface RedactOptions {
  patterns: readonly RedactPattern[];
  /** The text in place of a secret: one line of at most 100 characters. @default `[REDACTED:${kind}]` */
  replacement?: ((kind: string) => string) | undefined;
}

/** The option `redact`. */
export type RedactOption = readonly RedactPattern[] | RedactOptions;

/** The name of patterns without one. */
const UNNAMED = 'custom';
const MAX_PATTERNS = 200;
const MAX_REPLACEMENT_CHARS = 100;
const KIND = /^[\w.:-]{1,64}$/;

const redactors = /* @__PURE__ */ new WeakMap<object, Redactor>();

/** The patterns of the option `redact`, compiled once for each object. Throws if one of them is wrong. */
export function redactorOf(option: RedactOption): Redactor {
  const isObject = typeof option === 'object' && option !== null;
  const redactor = (isObject ? redactors.get(option) : undefined) ?? createRedactor(option);
  if (isObject) redactors.set(option, redactor);
  return redactor;
}

/**
 * Compiles the patterns of the option `redact`.
 * @param at The name of the option, for errors.
 */
export function createRedactor(option: RedactOption, at = 'redact'): Redactor {
  const isList = Array.isArray(option);
  const expected = 'a list of patterns, or an object with `patterns`';
  if (!isList) requireOptions(option as RedactOptions, { known: ['patterns', 'replacement'], at, expected });
  const { patterns, replacement } = isList ? { patterns: option } : (option as RedactOptions);
  const place = isList ? at : `${at}.patterns`;
  const isFilled = Array.isArray(patterns) && patterns.length > 0 && patterns.length <= MAX_PATTERNS;
  requireOption(isFilled, { option: place, value: patterns, expected: `a list of 1 to ${MAX_PATTERNS} patterns` });
  requireOptionalFunction(`${at}.replacement`, replacement);
  const rules: { kind: string; rule: SecretRule }[] = [];
  const finders: SpanFinder[] = [];
  const kinds = new Set<string>();
  for (const [index, pattern] of (patterns as readonly unknown[]).entries()) {
    const { kind, ...rest } = readPattern(pattern, `${place}[${index}]`);
    kinds.add(kind);
    if ('rules' in rest) for (const rule of rest.rules) rules.push({ kind, rule });
    else finders.push(createPatternFinder(rest.pattern, { kind, option: `${place}[${index}]` }));
  }
  const hasOwnPatterns = finders.length > 0;
  if (rules.length > 0) finders.unshift(createSecretFinder(rules));
  const toReplacement = replacement ?? ((kind: string) => `[REDACTED:${kind}]`);
  const replacements = [...kinds].map((kind) => [kind, requireReplacement(toReplacement(kind), at)] as const);
  return { finders, replacements: new Map(replacements), hasOwnPatterns };
}

type ReadPattern = { kind: string } & ({ pattern: string } | { rules: readonly SecretRule[] });

function readPattern(value: unknown, option: string): ReadPattern {
  const expected = 'a pattern in RE2 syntax, an object with `kind` and `pattern`, or one of `secretPatterns`';
  if (typeof value === 'string') return { kind: UNNAMED, pattern: value };
  // A JavaScript expression may never end for some texts.
  if (value instanceof RegExp) {
    const message = `\`${option}\` must be a text in RE2 syntax, not a \`RegExp\`: '${value.source.slice(0, MAX_REPLACEMENT_CHARS)}'.`;
    throw new InvalidOptionError({ option, message });
  }
  const isObject = typeof value === 'object' && value !== null;
  requireOption(isObject, { option, value, expected });
  if (RULES in value) return { kind: (value as SecretPattern).kind, rules: rulesOf(value as SecretPattern) };
  requireOptions(value, { known: ['kind', 'pattern'], at: option, expected });
  const { kind, pattern } = value as Record<string, unknown>;
  const isKind = typeof kind === 'string' && KIND.test(kind);
  const ofKind = 'a name of letters, digits, `_`, `-`, `.` and `:`, at most 64 characters';
  requireOption(isKind, { option: `${option}.kind`, value: kind, expected: ofKind });
  requireOption(typeof pattern === 'string', { option: `${option}.pattern`, value: pattern, expected: 'a text' });
  return { kind, pattern };
}

function requireReplacement(value: unknown, at: string): string {
  const isLine = typeof value === 'string' && value.length <= MAX_REPLACEMENT_CHARS && !/[\r\n]/.test(value);
  const expected = `a function that returns one line of at most ${MAX_REPLACEMENT_CHARS} characters`;
  requireOption(isLine, { option: `${at}.replacement`, value, expected });
  return value;
}
