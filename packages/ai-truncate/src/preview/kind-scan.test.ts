import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { focusTerms } from '../text/focus-terms.ts';
import { KindScan, type TextKind } from './kind-scan.ts';

const PAGE = `<div>${'<p>one two three</p>\n'.repeat(20)}</div>`;
const MARKDOWN = '# One\n\ntext\n\n## Two\n\ntext\ntext\n';
const DIFF = 'diff --git a/x b/x\n@@ -1 +1 @@\n-old\n+new\n';

function kindOf(text: string, { isValue = false, sizes = [text.length] } = {}): TextKind | undefined {
  const terms = () => focusTerms(['three items']);
  const kinds = new KindScan({ isValue, terms, beginningChars: 4096 });
  for (let at = 0, index = 0; at < text.length; index++) {
    const size = sizes[index % sizes.length] ?? 1;
    kinds.push(text.slice(at, at + size));
    at += size;
  }
  return kinds.finish();
}

/** The text view of a value. */
function viewOf(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll('\\n', '\n').replaceAll('\\"', '"');
}

describe('the kind of a text', () => {
  test.each([
    ['page', `<!DOCTYPE html>\n${PAGE}`],
    ['page', `\ufeff<?xml version="1.0"?>\n<!-- made by hand -->\n<HTML lang="en">${PAGE}`],
    ['page', PAGE],
    ['markdown', `${MARKDOWN}\n## Three\n- item`],
    ['diff', DIFF],
    ['diff', `commit 1\n\n    message\n\n${DIFF.repeat(4)}`],
    [undefined, 'INFO one\n'.repeat(50)],
    [undefined, MARKDOWN],
    [undefined, `INFO\n${PAGE}`],
    [undefined, `<rss><channel>${'<item><title>one</title></item>'.repeat(20)}`],
    [undefined, '<!doctype html><p>one</p>'],
    [undefined, `<!doctype html>${'<p>one</p>'.repeat(20)}${'text '.repeat(2000)}`],
    [undefined, `<!doctype html>${'<p></p>'.repeat(900)}<script>${'x = 1;'.repeat(900)}</script>`],
  ])('is %s by its content: %j', (kind, text) => {
    expect(kindOf(text)?.kind).toBe(kind);
  });

  test.each([
    ['page', { url: 'https://a.org', status: 200, body: PAGE }],
    ['page', { contentType: 'text/html; charset=utf-8', body: `text ${PAGE}` }],
    ['page', { uri: 'file:///a/index.html?x', text: `text ${PAGE}` }],
    ['markdown', { path: 'docs/README.md', content: MARKDOWN }],
    ['markdown', [{ 'media-type': 'text/markdown', content: MARKDOWN }]],
    ['markdown', { files: [{ filename: 'a.ts' }, { filename: 'b.mdx', content: MARKDOWN }] }],
    ['diff', { file_path: 'fix.patch', content: `a\nb\n${DIFF}` }],
    ['diff', { stdout: DIFF.repeat(3), exitCode: 0 }],
    [undefined, { path: 'README.txt', content: MARKDOWN }],
    [undefined, { path: 'run.sh', content: `${MARKDOWN}\n## Three\n- item` }],
    [undefined, { contentType: 'text/html', body: 'List<A> and Map<B, I>\n'.repeat(50) }],
  ])('inside a value is %s by its content, which names and types support: %j', (kind, value) => {
    expect(kindOf(viewOf(value), { isValue: true })?.kind).toBe(kind);
  });

  test('and its lines do not depend on the split into chunks', async () => {
    const part = fc.constantFrom(
      PAGE,
      MARKDOWN,
      DIFF,
      '<html>',
      '<!doctype html>',
      '"',
      'text\n',
      '\n',
      '# a\n\n',
      ' '.repeat(9000),
    );
    const text = fc.array(part, { maxLength: 12 }).map((parts) => parts.join(''));
    const sizes = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 4 });
    let found = 0;
    await fc.assert(
      fc.property(text, sizes, fc.boolean(), (text, sizes, isValue) => {
        const kind = kindOf(text, { isValue });
        expect(kindOf(text, { isValue, sizes })).toEqual(kind);
        if (kind) found++;
      }),
      { numRuns: propertyRuns({ sample: 200, full: 20_000 }) },
    );
    expect(found).toBeGreaterThan(20);
  });
});
