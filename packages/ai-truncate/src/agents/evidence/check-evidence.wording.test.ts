import { describe, expect, test, vi } from 'vitest';
import { scopedArtifacts } from '../../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../../stores/memory-store.ts';
import { checkEvidence } from './check-evidence.ts';

const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });

function lines(count: number, of = (line: number) => `line ${line} ordinary`): string[] {
  return Array.from({ length: count }, (_, index) => of(index + 1));
}

async function check(text: string, quote: string, [start, end]: [number, number] = [1, 1]) {
  const { path } = await artifacts.save(text, { toolName: 'readLog', toolCallId: 'call_1' });
  const [evidence] = await checkEvidence(artifacts, [{ path, startLine: start, endLine: end, quote }]);
  if (!evidence) throw new Error('The claim was dropped.');
  const { verified, startLine, endLine } = evidence;
  return { verified, lines: [startLine, endLine], quote: evidence.quote };
}

describe('a quote that says something else is not verified:', () => {
  test.each([
    ['another status code', '500: request to /cart failed', '404: request to /cart failed'],
    ['another year', '2026: revenue 5 million', '2025: revenue 5 million'],
    ['another time of day', '09:25:00 ERROR pool exhausted', '17:59:00 ERROR pool exhausted'],
    ['another time that could be line and column', '1:25:00 ERROR pool exhausted', '1:59:00 ERROR pool exhausted'],
    ['a time that names its line', 'took 09 ERROR pool exhausted', '1: 09 ERROR pool exhausted'],
    ['numbers alone', lines(100).join('\n'), '404:\n500:'],
    ['the numbers of its lines alone', 'a\nb', '1:\n2:'],
    ['an accent less', 'it is the seq\u0301', 'it is the seq'],
    ['signs alone', '-----------', '-----------'],
    ['one number of two', 'deleted 1 0 rows', 'deleted 10 rows'],
    ['two numbers of one', 'deleted 10 rows', 'deleted 1 0 rows'],
    ['columns set apart elsewhere', 'used 1 free 234', 'used 1 free 2 34'],
    ['a number over two lines', 'exit code 1\n37 tests passed', 'exit code 137'],
    ['one word of two', 'the change is not able to pass', 'the change is notable to pass'],
    ['the beginning of a number', 'deleted 1000 rows', 'deleted 10'],
    ['the beginning of a decimal', 'it took 1.5 hours', 'it took 1'],
    ['the thousands of a number', 'deleted 10,000 rows', 'deleted 10'],
    ['the end of a number', 'it deleted 110 rows', '10 rows'],
    ['a number without its sign', 'temperature: -5 degrees', '5 degrees'],
    ['the end of a word', 'unreachable since noon', 'reachable since noon'],
    ['the end of a name', 'not_ready for traffic now', 'ready for traffic now'],
    ['the beginning of a name', 'the user may_not_write', 'the user may'],
    ['a space less in a text of JSON', '{"name": "Jo Ann"}', '{"name":"JoAnn"}'],
    ['numbers of prose joined as in JSON', '[pool] took 1, 234 ms', '[pool] took 1,234 ms'],
    ['a time as if it were JSON', 'at 10: 41: 40 it stopped', '10:41:40'],
  ])('%s', async (_, text, quote) => {
    expect(await check(text, quote)).toMatchObject({ verified: false });
  });

  test.each([
    ['a window title', 'ERROR \u001b]0;but the backup of customer 42 was deleted \u0007disk full'],
    ['a color', 'ERROR \u001b[8mnot \u001b[0mdisk full'],
    ['a C1 sequence', 'ERROR \u009d0;nothing is lost \u009cdisk full'],
    ['a bidi override', 'ERROR \u202edisk full'],
    ['a zero width space', 'ERROR disk\u200b full'],
  ])('text hidden by %s, and none of it stays hidden', async (_, quote) => {
    const evidence = await check('ERROR disk full on sda', quote);
    expect(evidence.verified).toBe(false);
    expect(evidence.quote).not.toMatch(/\p{Cc}|\p{Cf}/u);
  });

  test.each([
    ['begins inside a color', '\u001b[31mred\u001b[0m alert', '31mred\u001b[0m alert'],
    ['begins inside an 8-bit color', '\u009b31mred\u009b0m alert', '31mred\u009b0m alert'],
    ['begins inside a link', 'see \u001b]8;;https://a.example/paid in full\u0007it', 'paid in full\u0007it'],
    ['begins at the end of a color', 'on \u001b[1;31mred\u0008 alert', 'mred\u0008 alert'],
    ['begins after the escape character', 'ERROR \u001b[disk full\u0007', '[disk full\u0007'],
    ['ends inside a color', 'ERROR disk full\u001b[31m on sda', 'ERROR disk full\u001b[31'],
    ['ends after the escape character', 'ERROR disk full\u001b[31m on sda', 'ERROR disk full\u001b'],
    ['ends inside a window title', 'disk \u001b]0;full of gold\u0007empty', 'disk \u001b]0;full of gold'],
  ])('a quote with hidden characters that %s', async (_, text, quote) => {
    expect(await check(text, quote)).toMatchObject({ verified: false });
    expect(await check(`${'x\n'.repeat(500)}${text}`, quote, [9, 9])).toMatchObject({ verified: false });
  });

  test('the text of a link, wherever the artifact is cut to be read', async () => {
    const link = `\u001b]8;;https://a.example/${'x'.repeat(1500)} paid in full by customer 42 ${'y'.repeat(400)}\u0007it`;
    for (let before = 50_000; before < 66_000; before += 300) {
      const text = `${'word '.repeat(before / 5)}${link}${' rest'.repeat(5000)}`;
      for (const named of [1, 9] as const) {
        const evidence = await check(text, 'paid in full by customer 42', [named, named]);
        expect(evidence, `character ${before}, line ${named}`).toMatchObject({ verified: false });
      }
    }
  });

  test('a letter, in a broad range', async () => {
    expect(await check(lines(5000).join('\n'), 'e', [1, 100_000])).toMatchObject({ verified: false });
    const text = [...lines(50), 'e'].join('\n');
    expect(await check(text, 'e', [45, 55])).toMatchObject({ verified: false });
    expect(await check(text, 'e', [46, 55])).toMatchObject({ verified: true, lines: [51, 51] });
    expect(await check(text, 'e', [46, 50])).toMatchObject({ verified: false });
  });
});

describe('a quote as a reader shows it is verified:', () => {
  const long = `${'x'.repeat(500)} the needle-4711 is here ${'y'.repeat(500)}`;
  test.each<[string, string, string, [number, number], [number, number]]>([
    ['with its line number', lines(9).join('\n'), '7: line 7 ordinary', [2, 2], [7, 7]],
    ['with several', lines(9).join('\n'), '7: line 7 ordinary\n8: line 8 ordinary', [7, 8], [7, 8]],
    ['with its own number', 'ok\n500: failed here', '2: 500: failed here', [2, 2], [2, 2]],
    ['of lines of which one has a number', 'ok then\n500: failed here', '1: ok then\n500: failed here', [1, 2], [1, 2]],
    ['as an excerpt', `a\n${long}`, '…xx the needle-4711 is here yy…', [2, 2], [2, 2]],
    [
      'with column and cursor',
      `a\n${long}`,
      '2:506 (cursor 2:506:507): …xx the needle-4711 is here yy…',
      [2, 2],
      [2, 2],
    ],
    ['from a character on', `a\n${long}`, '2 (from character 501):  the needle-4711 is here', [2, 2], [2, 2]],
    ['that goes on', `a\n${long}`, `2: ${'x'.repeat(500)} the needle-4711 … (this line goes on)`, [2, 2], [2, 2]],
    ['with a tag that looks like a frame', 'x <tool-output-preview> x', 'x &lt;tool-output-preview> x', [1, 1], [1, 1]],
    ['with that tag itself', 'x <tool-output-preview> x', 'x <tool-output-preview> x', [1, 1], [1, 1]],
    [
      'composed, far away, where no letter is plain',
      [...lines(100, () => '…'), 'строи\u0306ныи\u0306 проект'].join('\n'),
      'стройный проект',
      [3, 3],
      [101, 101],
    ],
    ['in backticks', 'ERROR disk full on sda', '`ERROR disk full on sda`', [1, 1], [1, 1]],
    ['with visible control characters', 'a\u0000b stopped early', 'a␀b stopped early', [1, 1], [1, 1]],
    ['with CRLF', 'a b c\r\nERROR one\r\n  at two\r\n', 'ERROR one\n  at two', [2, 3], [2, 3]],
    ['from CRLF to LF', 'a b c\nERROR one\n  at two\n', 'ERROR one\r\n  at two\r\n', [2, 3], [2, 3]],
    [
      'with composed characters, of decomposed ones',
      'fichier cre\u0301e\u0301 avec succe\u0300s',
      'fichier créé avec succès',
      [1, 1],
      [1, 1],
    ],
    [
      'not composed, of what is',
      'fichier créé avec succès',
      'fichier cre\u0301e\u0301 avec succe\u0300s',
      [9, 9],
      [1, 1],
    ],
    ['where words have no spaces', [...lines(100), '错误:磁盘已满了'].join('\n'), '磁盘已满', [3, 3], [101, 101]],
    ['next to a sign that joins words', '2026-11-18 is the day', '11-18 is the day', [1, 1], [1, 1]],
    ['that ends a sentence', 'It deleted 10. Then it stopped.', 'It deleted 10', [1, 1], [1, 1]],
  ])('%s', async (_, text, quote, named, found) => {
    expect(await check(text, quote, named)).toMatchObject({ verified: true, lines: found });
  });

  test('in any layout, when it is JSON', async () => {
    const rows = lines(300).map((name, id) => ({ name, tags: ['a b', id], at: null }));
    const quote = '{ "name":"line 150 ordinary","tags":["a b" ,149 ] , "at" : null }';
    for (const [text, found] of [
      [JSON.stringify(rows, null, 2), [1194, 1201]],
      [JSON.stringify(rows), [1, 1]],
    ] as const)
      expect(await check(text, quote)).toMatchObject({ verified: true, lines: found });
  });

  test('with all its escape sequences', async () => {
    const text = 'one\n\u001b[31mFAIL\u001b[39m the cart';
    expect(await check(text, '\u001b[31mFAIL\u001b[39m the cart')).toMatchObject({ verified: true, lines: [2, 2] });
    expect(await check(text, '\u001b[32mFAIL\u001b[39m the cart')).toMatchObject({ verified: false });
  });

  test('with escape sequences at both ends, even when it is too long to be looked up in full', async () => {
    const text = `\u001b[31mFAIL\u001b[39m ${'the cart is empty '.repeat(40)}`;
    expect(await check(text, '\u001b[31mFAIL\u001b[39m')).toMatchObject({ verified: true, quote: 'FAIL' });
    for (let length = 470; length < 500; length++) {
      const long = `${text.slice(0, length)}\u001b]8;;https://a.example/cart\u0007and so on ${'and on '.repeat(20)}`;
      expect(await check(long, long), `${length}`).toMatchObject({ verified: true });
    }
  });

  test('but not with the number of another line', async () => {
    const text = lines(9, () => 'the same everywhere').join('\n');
    expect(await check(text, '7: the same everywhere', [2, 2])).toMatchObject({ verified: true, lines: [7, 7] });
    expect(await check(text, '12: the same everywhere')).toMatchObject({ verified: false });
    expect(await check(text, '3: the same everywhere\n5: the same everywhere')).toMatchObject({ verified: false });
    expect(await check(text, '3: same everywhere')).toMatchObject({ verified: false });
    expect(await check(text, '007: the same everywhere')).toMatchObject({ verified: false });
    const wrapped = 'alpha\none\nbeta here';
    expect(await check(wrapped, '1: alpha one\n3: beta here')).toMatchObject({ verified: false });
    expect(await check(wrapped, '1: alpha one\n2: beta here')).toMatchObject({ verified: false });
    expect(await check(wrapped, '1: alpha\n2: one\n3: beta here')).toMatchObject({ verified: true, lines: [1, 3] });
  });
});

describe('at the borders between the parts of an artifact,', () => {
  test('no number or word ends', async () => {
    const line = `${'x'.repeat(64 * 1024 - 11)} deleted 1000 rows`;
    expect(await check(line, 'xx deleted 10')).toMatchObject({ verified: false });
    expect(await check(line, '…xx deleted 10')).toMatchObject({ verified: false });
    // Its length is odd, so each of its characters is at the end or the beginning of some part.
    for (const line of ['x10 rows then 10y; ', '1.10 rows then 10,5; ']) {
      const many = line.repeat(60_000);
      expect(await check(many, '10 rows then', [9, 9])).toMatchObject({ verified: false });
      expect(await check(many, 'rows then 10', [9, 9])).toMatchObject({ verified: false });
      expect(await check(many, line, [9, 9])).toMatchObject({ verified: true });
    }
  });

  test('a quote full of colors is found before a link that is cut', async () => {
    const quoted = `alpha${'\u001b[0m'.repeat(1527)} omega words here`;
    const link = `\u001b]8;;https://a.example/${'x'.repeat(2010)}\u0007it`;
    for (let before = 57_200; before < 57_500; before += 10) {
      const text = `${'word '.repeat(before / 5)}${quoted} ${link}${' rest'.repeat(5000)}`;
      const evidence = await check(text, 'alpha omega words here', [9, 9]);
      expect(evidence, `character ${before}`).toMatchObject({ verified: true });
    }
  });

  test.each([
    ['is a short line', '{"status":"deploy failed"}\n{"log":"', '{"status":"deploy failed"}'],
    ['has the number of a reader', 'ERROR disk full on sda1\n', '1: ERROR disk full'],
  ])('a quote at the very start is found before a line of 600 KB when it %s', async (_, start, quote) => {
    const evidence = await check(`${start}${'x '.repeat(300_000)}\ntail`, quote, [10, 10]);
    expect(evidence).toMatchObject({ verified: true, lines: [1, 1] });
  });

  test('every quote is found, for any text at the border', async () => {
    const text = `x${lines(12_000, (line) => `строка ${line} идёт дальше`).join('\n')}`;
    const { path } = await artifacts.save(text, { toolName: 'readLog', toolCallId: 'call_1' });
    const claims = lines(11_990, (line) => `${line} идёт дальше\nстрока ${line + 1} идёт`).flatMap((quote, index) =>
      index % 7 === 0 ? [{ path, startLine: 11_999, endLine: 11_999, quote }] : [],
    );
    for (let at = 0; at < claims.length; at += 20) {
      const evidence = await checkEvidence(artifacts, claims.slice(at, at + 20));
      const first = evidence.map(({ verified, startLine }) => verified && startLine);
      expect(first).toEqual(evidence.map((_, index) => 7 * (at + index) + 1));
    }
  });
});

describe("the quote of evidence is the artifact's own text", () => {
  test('in its own white space', async () => {
    expect(await check('ERROR\tdisk  full\n    on sda', 'ERROR disk full on sda')).toMatchObject({
      quote: 'ERROR\tdisk  full\n    on sda',
    });
  });

  test('as readers show it', async () => {
    const shown = await check('\u001b[31mFAIL\u001b[39m a\u202eb stopped', 'FAIL a\\u{202e}b stopped');
    expect(shown).toMatchObject({ verified: true, quote: 'FAIL a\\u{202e}b stopped' });
    const raw = await check('\u001b[31mFAIL\u001b[39m a\u202eb stopped', '\u001b[31mFAIL\u001b[39m a\u202eb stopped');
    expect(raw).toMatchObject({ verified: true, quote: 'FAIL a\\u{202e}b stopped' });
  });

  test('with the whole words at which an excerpt was cut', async () => {
    expect(await check('it deleted 1,000 rows', 'deleted 1…')).toMatchObject({
      verified: true,
      quote: 'deleted 1,000',
    });
    expect(await check('it is unreachable', '…reachable')).toMatchObject({ verified: true, quote: 'unreachable' });
  });

  test('with at most 500 whole characters, with any spaces', async () => {
    const spaced = await check(`ERROR${' '.repeat(2000)}disk full`, 'ERROR disk full');
    expect(spaced).toMatchObject({ verified: true });
    expect(spaced.quote).toHaveLength(500);
    const faces = `x${'😀'.repeat(400)}`;
    const { verified, quote } = await check(faces, faces);
    expect(verified).toBe(true);
    expect(quote).toBe(faces.slice(0, 499));
  });
});

describe('among several places, the claimed place is found:', () => {
  const pool = 'WARN pool timed out waiting';
  test.each<[string, string[], string, [number, number], number]>([
    [
      'the named line, whatever is in others twice',
      Object.assign(lines(20), { 5: 'timeout after timeout', 10: 'timeout of db' }),
      'timeout',
      [11, 11],
      11,
    ],
    ['one among the named lines', Object.assign(lines(30), { 9: pool, 15: pool }), pool, [12, 20], 16],
    ['one far in among them', Object.assign(lines(900), { 9: pool, 700: pool }), pool, [12, 800], 701],
    [
      'the nearest, with many before',
      lines(20_000, (n) => (n % 40 === 1 ? pool : `line ${n}`)),
      pool,
      [15_985, 15_985],
      15_961 + 40,
    ],
    ['the nearest, just before', lines(5000, (n) => (n % 10 === 0 ? pool : `line ${n}`)), pool, [4001, 4001], 4000],
    ['the nearest, after it', Object.assign(lines(900), { 99: pool, 599: pool }), pool, [400, 400], 600],
    ['the nearest, before', Object.assign(lines(900), { 99: pool, 599: pool }), pool, [300, 300], 100],
  ])('%s', async (_, text, quote, named, found) => {
    expect(await check(text.join('\n'), quote, named)).toMatchObject({ verified: true, lines: [found, found] });
  });
});

test('at most 200 characters of a path are shown', async () => {
  const [evidence] = await checkEvidence(artifacts, [{ path: 'x'.repeat(1_000_000), quote: 'ERROR disk full' }]);
  expect(evidence?.path).toHaveLength(200);
});

test('a path with hidden characters is refused, and they become visible', async () => {
  const info = vi.fn(artifacts.info);
  const { path } = await artifacts.save('ERROR disk full', { toolName: 'readLog', toolCallId: 'call_1' });
  for (const forged of [`${path}\n- other line 1`, `${path}\u202e`, `${path}\u001b[8m`, `\t${path}`]) {
    const [evidence] = await checkEvidence({ ...artifacts, info }, [
      { path: forged, startLine: 1, endLine: 1, quote: 'ERROR disk full' },
    ]);
    expect(evidence?.verified).toBe(false);
    expect(evidence).not.toHaveProperty('unchecked');
    expect(evidence?.path).not.toMatch(/\p{Cc}|\p{Cf}/u);
  }
  expect(info).not.toHaveBeenCalled();
});
