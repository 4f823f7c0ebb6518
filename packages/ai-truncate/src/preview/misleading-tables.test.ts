import { expect, test } from 'vitest';
import { seededRandom } from '../../lab/seeded-random.ts';
import { finished } from '../pace.ts';
import { focusTerms } from '../text/focus-terms.ts';
import { createOutputScanner, previewInSteps, type ScannedOutput } from './choose-preview.ts';
import { resolveLimits } from './limits.ts';

const words = 'ready request worker done cache user session order page retry queue stored loaded sent'.split(' ');

/** Lines of texts that look like tables, because each line has the same number of separators. */
const shapes: Record<string, (row: number, word: () => string) => string> = {
  'a log with commas': (row, word) =>
    `${row % 24}h ${row % 60}m INFO ${word()} ${row}, ${word()} ok, took ${row % 90} ms`,
  'a log with bars': (row, word) => `INFO | ${word()} | ${word()} ${row} ${word()}`,
  'a log with semicolons': (row, word) => `node-${row % 5}; ${word()} ${word()}; ${row} bytes`,
  'a log with tabs': (row, word) => `INFO\t${word()}.${word()}\t${word()} ${row}`,
  'a log with dates': (row, word) => `2026/11/20 12:00:0${row % 10}, ${word()}, ${word()} ${row}`,
  sentences: (row, word) => `The ${word()} ${row} was ${word()}, and the ${word()} was not.`,
  statements: (row, word) => `INSERT INTO ${word()} VALUES (${row}, '${word()}', ${row % 7});`,
  code: (row, word) => `  ${word()}(${row}, ${word()});`,
  'a list': (row, word) => `- ${word()}: ${word()} ${row}, ${word()}`,
  settings: (row, word) => `${word()}.${row} = ${word()}; ${word()}`,
  'a Markdown table': (row, word) => `| ${row} | ${word()} | ${word()} |`,
  'a real table': (row, word) => `${row},${word()},${word()},${row % 13}`,
};

interface Misleading {
  text: string;
  question: string;
  facts: string[];
}

function misleading(seed: number): Misleading {
  const random = seededRandom(seed);
  const names = Object.keys(shapes);
  const lineOf = shapes[names[seed % names.length] ?? ''] ?? ((row: number) => `${row}`);
  const word = () => random.oneOf(words);
  const lines = Array.from({ length: 1200 + random.below(2000) }, (_, row) => lineOf(row, word));
  const place = () => 300 + random.below(lines.length - 600);
  const put = (line: string) => {
    const at = place();
    lines[at] = line;
    return line;
  };
  const like = (text: string) => (lines[place()] ?? '').replace(/[a-z]{4,}/, text);
  const facts = [
    put(like(`error-${seed}: disk failed`)),
    put(like(`quokka${seed}`)),
    put(`Zertifikat ${seed} abgelaufen`),
  ];
  return { text: lines.join('\n'), question: `What happened to quokka${seed}?`, facts };
}

/** The facts that the preview of a text shows, but the preview of the same text as a table does not. */
async function missingFacts({ text, question, facts }: Misleading, { asks }: { asks: boolean }) {
  const scanner = createOutputScanner(resolveLimits({}), { terms: () => (asks ? focusTerms([question]) : []) });
  await scanner.push(text);
  const { scan, records } = await scanner.finish();
  const found = records && finished(records());
  const missing = [4000, 16_000].flatMap((maxBytes) => {
    const show = (output: ScannedOutput) =>
      finished(previewInSteps(output, { keep: 'auto', limits: { maxLines: 2000, maxBytes } })).text;
    const [plain, guessed] = [show({ scan }), found ? show({ scan, records }) : show({ scan })];
    return facts.filter((fact) => plain.includes(fact) && !guessed.includes(fact));
  });
  return { isTable: found !== undefined, missing };
}

test.each(['a question', 'no question'])(
  '200 texts that look like tables show no fewer facts than as text: with %s',
  async (asked) => {
    let tables = 0;
    for (let seed = 1; seed <= 200; seed++) {
      const { isTable, missing } = await missingFacts(misleading(seed), { asks: asked === 'a question' });
      expect(missing, `seed ${seed}`).toEqual([]);
      if (isTable) tables++;
    }
    // Otherwise the texts are not misleading, and the test proves nothing.
    expect(tables).toBeGreaterThan(100);
  },
);
