/**
 * A text in a source file that people or models read.
 *
 * @typedef {object} Prose
 * @property {'comment' | 'string' | 'test name'} kind
 * @property {number} line The line on which it starts, counted from 1.
 * @property {string} text Without the marks of comments, and without code samples. A template has `…` for each of its values.
 */

/** A string of fewer words is a key, a path or a sample. */
const FEWEST_WORDS = 3;
/** After one of these, `/` starts a regular expression. After anything else it divides. */
const BEFORE_PATTERN = /(?:^|[(,=:[!&|?{};+\-*%<>~^]|\b(?:return|typeof|case|in|of|do|else|await|yield))\s*$/;
const PATTERN = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
const QUOTED = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y;
const LINE_COMMENTS = /\/\/[^\n]*(?:\n[ \t]*\/\/[^\n]*)*/y;
const BLOCK_COMMENT = /\/\*[\s\S]*?\*\//y;
/** A tag of JSDoc, with its type and, where it has one, its name. */
const TAG = /^\s*@(?:(?:param|property|typedef)\s+(?:\{.*?\}\s+)?\S+|\w+(?:\s+\{.*?\})?)/s;
const SENTENCE_END = /(?<=[.!?:][)`'"]?)\s+(?=[(`'"]?\p{Lu}|`)/u;
/** How much code before a string decides whether it names a test. */
const TEST_CALL_CHARS = 40;
/** A string with this is a program. */
const CODE = /=> |;\n|;$/;
const TEST_CALL = /(?:\b(?:test|it|describe|bench)(?:\.\w+)*|[\])]\))\(\s*$/;

/**
 * Lists the comments, strings and test names of a source file, in the order of the file.
 *
 * @param {string} source TypeScript or JavaScript.
 * @returns {Prose[]}
 */
export function findProse(source) {
  /** @type {(Prose & { start: number })[]} */
  const found = [];
  let lastLine = { number: 1, next: source.indexOf('\n') };
  readCode(0);

  return found.sort((one, other) => one.start - other.start).map(({ kind, line, text }) => ({ kind, line, text }));

  /**
   * Reads code up to the end of the file, or to the `}` that ends a value in a template.
   *
   * @param {number} start
   * @returns {number} The index after it.
   */
  function readCode(start) {
    const special = /['"`/{}]/g;
    let depth = 0;
    let index = start;
    while (true) {
      special.lastIndex = index;
      const next = special.exec(source);
      if (!next) return source.length;
      index = next.index;
      if (next[0] === '{') depth++;
      if (next[0] === '}' && --depth < 0) return index + 1;
      index = readToken(index);
    }
  }

  /**
   * Reads the comment, string, template or pattern that starts at `index`, or one character.
   *
   * @param {number} index
   * @returns {number} The index after it.
   */
  function readToken(index) {
    if (source[index] === '`') return readTemplate(index);
    const comment = match(LINE_COMMENTS, index) ?? match(BLOCK_COMMENT, index);
    if (comment) {
      add('comment', index, commentText(comment));
      return index + comment.length;
    }
    const quoted = match(QUOTED, index);
    if (quoted) {
      addString(index, quoted.slice(1, -1));
      return index + quoted.length;
    }
    const isPattern = source[index] === '/' && BEFORE_PATTERN.test(source.slice(Math.max(0, index - 20), index));
    return index + ((isPattern ? match(PATTERN, index)?.length : undefined) ?? 1);
  }

  /** @param {number} start */
  function readTemplate(start) {
    let text = '';
    let index = start + 1;
    while (index < source.length && source[index] !== '`') {
      if (source.startsWith('${', index)) {
        text += '…';
        index = readCode(index + 2);
      } else {
        const length = source[index] === '\\' ? 2 : 1;
        text += source.slice(index, index + length);
        index += length;
      }
    }
    addString(start, text);
    return index + 1;
  }

  /**
   * @param {number} start
   * @param {string} escaped
   */
  function addString(start, escaped) {
    const text = escaped.replaceAll(/\\(?:n|r|t|\n)/g, '\n').replaceAll(/\\(.)/g, '$1');
    const isName = TEST_CALL.test(source.slice(Math.max(0, start - TEST_CALL_CHARS), start));
    if (isName || (!CODE.test(text) && (text.match(/(?<!\S)[\p{L}'"(`]\S*/gu)?.length ?? 0) >= FEWEST_WORDS)) {
      add(isName ? 'test name' : 'string', start, text);
    }
  }

  /**
   * @param {RegExp} pattern
   * @param {number} index
   */
  function match(pattern, index) {
    pattern.lastIndex = index;
    return pattern.exec(source)?.[0];
  }

  /**
   * @param {Prose['kind']} kind
   * @param {number} start
   * @param {string} text
   */
  function add(kind, start, text) {
    found.push({ kind, start, line: lineOf(start), text });
  }

  /** @param {number} start */
  function lineOf(start) {
    while (lastLine.next !== -1 && lastLine.next < start) {
      lastLine = { number: lastLine.number + 1, next: source.indexOf('\n', lastLine.next + 1) };
    }
    return lastLine.number;
  }
}

/**
 * Splits a text into sentences. A blank line, a list item and a tag of JSDoc start a new sentence.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function splitSentences(text) {
  return text
    .split(/\n\s*\n|\n(?=\s*(?:@|[-|] ))/)
    .flatMap((part) => part.replace(TAG, '').split(SENTENCE_END))
    .map((sentence) => sentence.replaceAll(/\s+/g, ' ').trim())
    .filter((sentence) => /\p{L}/u.test(sentence));
}

/** @param {string} comment */
function commentText(comment) {
  const lines = comment.startsWith('//')
    ? comment.replaceAll(/^[ \t]*\/\/ ?/gm, '')
    : comment.slice(2, -2).replaceAll(/^[ \t]*\*+ ?/gm, '');
  return lines.replaceAll(/^@example\b[\s\S]*?(?=^@\w|(?![\s\S]))/gm, '').trim();
}
