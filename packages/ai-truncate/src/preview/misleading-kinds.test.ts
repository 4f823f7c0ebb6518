import { describe, expect, test } from 'vitest';
import { finished } from '../pace.ts';
import { focusTerms } from '../text/focus-terms.ts';
import { createOutputScanner, type Preview, previewInSteps, type ScannedOutput } from './choose-preview.ts';
import { resolveLimits } from './limits.ts';

const SEEDS = 10;
const LINES = 1500;
const LIMITS = resolveLimits({ previewBytes: 8192 });
const QUESTION = 'Which warehouse has the parcel QX-7741?';

/** Facts that a plain preview shows, at places that depend on the seed. */
const facts = {
  error: 'ERROR payment gateway refused order 48215',
  asked: 'parcel QX-7741 waits in warehouse Lund 12',
  rare: 'Zertifikat der Gegenstelle abgelaufen seit gestern',
  total: 'Tests: 3 failed, 1240 passed',
  last: 'bye from the very last line',
};

type Wrap = (line: string, index: number) => string;

/** Files whose names, types or contents say that they are something else. */
const misleading: Record<string, { line: Wrap; around?: (body: string) => string; in?: (text: string) => unknown }> = {
  'a log named .html': { line: log, in: (content) => ({ path: 'build.html', content }) },
  'a log of type text/html': { line: log, in: (body) => ({ status: 200, 'content-type': 'text/html', body }) },
  'a log that begins like a page': { line: log, around: (body) => `<!doctype html>\n<html><body>\n${body}` },
  'a log in a page': { line: log, around: (body) => `<html><head><title>x</title></head><body><pre>\n${body}` },
  'a log with pages in it': { line: (line, index) => (index % 9 === 8 ? PAGE : log(line, index)) },
  'a log after a script without an end': {
    line: log,
    around: (body) => `<html><p>a</p>${'<p>b</p>'.repeat(400)}<script>\n${body}`,
  },
  'a log in a comment': { line: log, around: (body) => `<html>${'<p>b</p>'.repeat(50)}<!--\n${body}` },
  'a log between the tags of a page': {
    line: (line, index) => (index % 2 === 0 ? (TAGS[index / 2] ?? '</div>') : log(line, index)),
  },
  'a log with a paragraph in each line': {
    line: (line, index) => `<p class="line level-${index % 3}">${log(line, index)}</p>`,
  },
  'a log with comments named .md': {
    line: (line, index) => (index % 3 === 1 ? `# ${line}` : log(line, index)),
    in: (content) => ({ filename: 'run.md', content }),
  },
  'a log with headings': {
    line: (line, index) => (index % 20 === 10 ? `\n# step ${index}\n` : log(line, index)),
    in: (content) => ({ file_path: 'a/run.markdown', content }),
  },
  'a log in a code block without an end': {
    line: (line, index) => (index === 3 ? '# a\n\n# b\n\n# c\n\n- d\n```' : log(line, index)),
  },
  'a table named .md': {
    line: (line, index) => `${index},${line.replaceAll(',', ' ')},${index * 7},ok`,
    in: (content) => ({ path: 'prices.md', content }),
  },
  'a script named .md': {
    line: (line, index) => (index % 10 === 9 ? `\n# ${line}` : `echo ${line} ${index}`),
    around: (body) => `#!/bin/sh\n${body}`,
    in: (content) => ({ path: 'job.md', content }),
  },
  'code with generics of type text/html': {
    line: (line, index) =>
      index % 2 === 0
        ? `const map${index}: Map<string, List<T>> = new Map<A, B>(); // ${index}`
        : `  // ${log(line, index)}`,
    in: (body) => ({ mimeType: 'text/html', body }),
  },
  'code with elements': {
    line: (line, index) =>
      index % 4 === 0 ? `      <div className={style}>{label(${index})}</div>` : `  // ${log(line, index)}`,
    in: (content) => ({ url: 'https://a.org/App.html', content }),
  },
  'prose about diffs': {
    line: (line, index) => (index % 30 === 2 ? 'diff --git a/x b/x\n--- a/x\n+++ b/x' : log(line, index)),
    in: (content) => ({ path: 'fix.patch', content }),
  },
  'hunks with a log in them': {
    line: (line, index) =>
      index % 30 === 2 ? 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@' : log(line, index),
    in: (stdout) => ({ command: 'git diff', stdout }),
  },
  'a log as a diff': {
    line: (line, index) => `+${log(line, index)}`,
    around: (body) => `diff --git a/x.log b/x.log\n--- /dev/null\n+++ b/x.log\n@@ -0,0 +1,${LINES} @@\n${body}`,
  },
  'Markdown of type text/html': {
    line: (line, index) => (index % 25 === 5 ? `\n## Part ${index}\n` : `- ${log(line, index)}`),
    in: (body) => ({ contentType: 'text/html', body }),
  },
};

const PAGE = '<html><head><title>502</title></head><body><h1>Bad gateway</h1><p>Try again</p></body></html>';
const TAGS = [
  '<!doctype html>',
  '<html>',
  '<head>',
  '<title>Shop</title>',
  '<meta charset="utf-8">',
  '<link rel="icon">',
  '<style>p {}</style>',
  '<base href="/">',
  '<meta name="a">',
  '<meta name="b">',
  '</head>',
  '<body>',
];

function log(line: string, index: number): string {
  return `12:0${index % 6}:${10 + (index % 50)} ${line}`;
}

function fileOf(name: string, seed: number): string {
  const { line, around = (body) => body } = misleading[name] as (typeof misleading)[string];
  const lines = Array.from(
    { length: LINES },
    (_, index) => `INFO worker ${index % 7} took job ${index * seed} of the queue`,
  );
  const planted = [facts.error, facts.asked, facts.rare, facts.total];
  for (const [index, fact] of planted.entries()) {
    // Between two lines that some of the files replace.
    const place = 301 + ((index * 257 + seed * 91) % 900);
    lines[place + ((place + 1) % 2 === 0 ? 0 : 1)] = `INFO ${fact}`.replace('INFO ERROR', 'ERROR');
  }
  return around([...lines.map(line), facts.last].join('\n'));
}

async function scanned(output: unknown): Promise<ScannedOutput> {
  const isValue = typeof output !== 'string';
  const scanner = createOutputScanner(LIMITS, { isValue, terms: () => focusTerms([QUESTION]) });
  await scanner.push(isValue ? JSON.stringify(output, null, 2) : output);
  return scanner.finish();
}

function shown(output: ScannedOutput): Preview {
  return finished(previewInSteps(output, { keep: 'auto', limits: { maxBytes: 8192, maxLines: 2000 } }));
}

describe.each(Object.keys(misleading))('%s', (name) => {
  test('shows every fact that it shows as plain text', async () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const text = fileOf(name, seed);
      const output = await scanned(misleading[name]?.in?.(text) ?? text);
      const plain = shown({ ...output, kind: undefined }).text;
      const { text: preview } = shown(output);
      const lost = Object.values(facts).filter((fact) => plain.includes(fact) && !preview.includes(fact));
      expect(lost, `seed ${seed}, read as ${output.kind?.kind}`).toEqual([]);
      expect(Object.values(facts).filter((fact) => plain.includes(fact)).length).toBeGreaterThan(1);
    }
  });
});
