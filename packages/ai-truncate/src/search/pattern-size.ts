import { patternTokens } from './pattern-tokens.ts';

/** `?P<name>` and `{1000,1000}` are shorter. The engine refuses larger counts. */
const LONGEST_SIGNS = 64;
const CAPTURE_SIZE = 2;

/** A part of an expression between brackets, while its size is added up. */
interface OpenGroup {
  /** What is complete, up to the last `|`. */
  alternatives: number;
  /** Alternatives of one character are one class together. */
  hasClass: boolean;
  /** A place in the text is no character, and joins no class. */
  hasAnchor: boolean;
  sequence: number;
  last: number;
  /** What the engine adds to note where a group starts and ends. */
  around: number;
}

/**
 * About how many instructions the engine needs for an expression, and rarely fewer than it really makes. The engine repeats a
 * part as often as its counts multiply to, so a short expression can take a tenth of a second to compile.
 */
export function estimatedProgramSize(source: string): number {
  const tokens = Array.from(patternTokens(source), ({ kind, text }) => ({ text, sign: kind === 'plain' ? text : '' }));
  const groups: OpenGroup[] = [];
  let group = openGroup(0);
  const append = (size: number): void => {
    group.sequence += size;
    group.last = size;
  };
  for (let at = 0; at < tokens.length; at++) {
    const { text = '', sign = '' } = tokens[at] ?? {};
    const repeat = sign === '{' ? repeatAt(tokens, at) : undefined;
    if (sign === '(') {
      groups.push(group);
      const [prefix = ''] = /^\?[\w<-]*[:>]?/.exec(signsAt(tokens, at + 1)) ?? [];
      group = openGroup(prefix.endsWith(':') ? 0 : CAPTURE_SIZE);
      at += prefix.length;
    } else if (sign === ')') {
      const inner = group;
      group = groups.pop() ?? openGroup(0);
      group.hasAnchor ||= inner.hasAnchor;
      append(sizeOfGroup(inner));
    } else if (sign === '|') endAlternative(group);
    else if (repeat) {
      at = repeat.end;
      const { last } = group;
      group.sequence -= last;
      append(last * repeat.min + repeat.optional * (last + 1) + (repeat.isOpen ? 1 : 0));
    } else if (sign !== '' && '*+?'.includes(sign)) {
      group.sequence++;
      group.last++;
    } else {
      // What follows a quoted text repeats its last character.
      if (text.startsWith('\\Q')) group.sequence += text.replace(/^\\Q|\\E$/g, '').length - 1;
      if (/^\\p$/i.test(text)) at += /^(?:\{\^?\w*\}|\w)/.exec(signsAt(tokens, at + 1))?.[0].length ?? 0;
      if (/^(?:[$^]|\\[AbBzZ])$/.test(text)) group.hasAnchor = true;
      append(1);
    }
  }
  // What was never closed is no expression; it is measured all the same.
  return groups.reduce((sum, open) => sum + sizeOfGroup(open), sizeOfGroup(group));
}

/** Plain signs from a place on, as one text; anything else ends it. */
function signsAt(tokens: readonly { sign: string }[], at: number): string {
  const signs = tokens.slice(at, at + LONGEST_SIGNS).map(({ sign }) => sign);
  const end = signs.indexOf('');
  return signs.slice(0, end === -1 ? undefined : end).join('');
}

function openGroup(around: number): OpenGroup {
  return { alternatives: 0, hasClass: false, hasAnchor: false, sequence: 0, last: 0, around };
}

function endAlternative(group: OpenGroup): void {
  if (group.sequence === 1 && !group.hasAnchor) group.hasClass = true;
  else group.alternatives += group.sequence + 1;
  group.sequence = 0;
  group.last = 0;
}

function sizeOfGroup(group: OpenGroup): number {
  const { alternatives, hasClass, hasAnchor, sequence, around } = group;
  const isClass = hasClass && sequence === 1 && !hasAnchor;
  return around + alternatives + (hasClass && !isClass ? 2 : 0) + sequence;
}

/** A counted repeat; an open one is a loop over its last copy. */
function repeatAt(
  tokens: readonly { sign: string }[],
  at: number,
): { min: number; optional: number; isOpen: boolean; end: number } | undefined {
  const [found, least, comma, most] = /^\{(\d+)(,?)(\d*)\}/.exec(signsAt(tokens, at)) ?? [];
  if (found === undefined) return undefined;
  const isOpen = comma === ',' && most === '';
  const min = isOpen ? Math.max(1, Number(least)) : Number(least);
  return { min, optional: most ? Math.max(0, Number(most) - min) : 0, isOpen, end: at + found.length - 1 };
}
