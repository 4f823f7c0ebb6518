import { describe, expect, test } from 'vitest';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { compileSearchPattern } from '../text/pattern.ts';
import { grepArtifact } from './grep-artifact.ts';
import { shownLine } from './search-region.ts';

const red = '\u001b[31m';
const reset = '\u001b[0m';

async function grep(content: string, source: string, options: { literal?: boolean; ignoreCase?: boolean } = {}) {
  const artifacts = scopedArtifacts(memoryStore(), { scope: 'shown' });
  const { path } = await artifacts.save(content, { toolName: 'run', toolCallId: 'call_1' });
  const compiled = compileSearchPattern(source, options);
  if (!compiled.ok) throw new Error(compiled.message);
  return (await grepArtifact(artifacts, path, { pattern: compiled.pattern, maxChars: 1_000_000 })).matches;
}

const lines = (matches: { line: number }[]) => matches.map(({ line }) => line);

describe('the shown form of a line', () => {
  test('does not exist if the line is stored like that', () => {
    expect(shownLine('plain [31m')).toBeUndefined();
  });

  test('has no sequences, and the stored place of each character', () => {
    const stored = `${red}ERROR${reset}: ${red}disk${reset}`;
    const shown = shownLine(stored);
    expect(shown?.text).toBe('ERROR: disk');
    for (const [index, character] of [...'ERROR: disk'].entries()) {
      expect(stored[shown?.toStored(index) ?? -1]).toBe(character);
    }
  });
});

describe('a pattern matches a colored line as it is shown', () => {
  const log = `first\n${red}ERROR${reset}: disk\n${red}MIRROR${reset}\nlast ${red}ERROR${reset}`;

  test.each(['\\bERROR\\b', '^ERROR', 'ERROR: disk', '^ERR|never', 'ERROR\\W+disk$'])('%s', async (source) => {
    expect(lines(await grep(log, source))).toContain(2);
    expect(lines(await grep(log, source))).not.toContain(3);
  });

  test('as a text too, in any case', async () => {
    expect(lines(await grep(log, 'ERROR: disk', { literal: true }))).toEqual([2]);
    expect(lines(await grep(log, 'error: disk', { literal: true, ignoreCase: true }))).toEqual([2]);
    expect(lines(await grep(log, 'ERROR', { literal: true }))).toEqual([2, 4]);
  });

  test('and as it is stored, so a search for a color finds it', async () => {
    expect(lines(await grep(log, '\\x1b\\[31m'))).toEqual([2, 3, 4]);
    expect(lines(await grep(log, `${red}ERROR`, { literal: true }))).toEqual([2, 4]);
  });

  test('with the column of the stored line', async () => {
    const long = `${red}${'x'.repeat(2000)}${reset} ${red}fail${reset}ed ${'y'.repeat(1000)}`;
    const column = long.indexOf('fail') + 1;
    for (const [source, options] of [
      ['failed', { literal: true }],
      ['\\bfailed\\b', {}],
      // A program so large that a step searches a quarter of the line.
      ['\\bfailed\\b|(?:[0-9]{30}z){12}', {}],
    ] as const) {
      expect(await grep(`one\n${long}`, source, options)).toMatchObject([{ line: 2, column }]);
    }
  });

  test('in every line of a text that is larger than a region', async () => {
    const text = Array.from({ length: 9000 }, (_, index) =>
      index % 1000 === 7 ? `${red}ER${reset}ROR ${index}` : `${red}INFO${reset} ${'.'.repeat(60)} ${index}`,
    ).join('\n');
    const expected = Array.from({ length: 9 }, (_, index) => index * 1000 + 8);
    expect(lines(await grep(text, 'ERROR'))).toEqual(expected);
    expect(lines(await grep(text, '^E[R]ROR \\d'))).toEqual(expected);
  });

  test('but not across the end of a line', async () => {
    expect(await grep(`${red}ER\nROR${reset}\n\u001b]8;;never ended\nERR`, 'ERROR')).toEqual([]);
  });
});
