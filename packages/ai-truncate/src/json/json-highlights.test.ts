import { describe, expect, test } from 'vitest';
import { finished } from '../pace.ts';
import { previewJsonInSteps } from '../preview/preview-json.ts';
import { focusTerms } from '../text/focus-terms.ts';
import { compileLineMarks } from '../text/line-marks.ts';
import { byteLength } from '../text/utf.ts';
import { JsonHighlights } from './json-highlights.ts';
import { createJsonSample } from './json-sample.ts';

function shown(
  value: unknown,
  { question = '', maxBytes = 4096, chunkChars = 100_000, indent = 0, salient = [] as string[] } = {},
): string {
  const text = JSON.stringify(value, null, indent);
  const highlights = new JsonHighlights(() => focusTerms([question]), compileLineMarks('salient', salient));
  const sample = createJsonSample(highlights.passages);
  for (let at = 0; at < text.length; at += chunkChars) {
    sample.push(text.slice(at, at + chunkChars));
    highlights.endChunk();
  }
  const node = finished(highlights.addTo(finished(sample.finish())));
  return finished(previewJsonInSteps(node ?? { kind: 'literal', text: 'null' }, { maxBytes })).text;
}

const orders = Array.from({ length: 3000 }, (_, index) => ({
  id: `ord-${index}`,
  customer: `Customer ${index % 50}`,
  status: index === 1700 ? 'failed' : 'paid',
  amount: index % 100,
}));

describe.each([0, 2])('a list of records, indented by %i', (indent) => {
  test('shows the record that the question names, with its index', () => {
    const items = JSON.parse(shown(orders, { question: 'What did order ord-2041 cost?', indent })) as unknown[];
    const at = items.findIndex((item) => (item as { id?: string }).id === 'ord-2041');
    expect(items[at]).toEqual(orders[2041]);
    expect(items[at - 1]).toMatch(/^… [\d,]+ more items; next is \[2041\] …$/);
  });

  test('shows the record that failed without a question', () => {
    expect(JSON.parse(shown(orders, { indent }))).toContainEqual(orders[1700]);
  });

  test.each([
    ['a word', 'ORD-1234'],
    ['a pattern', '"id":\\s?"ord-12[3]4"'],
  ])('shows the record that `salient` marks with %s, and the record that failed', (_kind, mark) => {
    const items = JSON.parse(shown(orders, { indent, salient: [mark] })) as unknown[];
    const at = items.findIndex((item) => (item as { id?: string }).id === 'ord-1234');
    expect(items[at]).toEqual(orders[1234]);
    expect(items[at - 1]).toMatch(/next is \[1234\] …$/);
    expect(items).toContainEqual(orders[1700]);
    expect(JSON.parse(shown(orders, { indent }))).not.toContainEqual(orders[1234]);
  });

  test('has a profile of all records', () => {
    const items = JSON.parse(shown(orders, { indent })) as Record<string, unknown>[];
    expect(items.find((item) => Object.hasOwn(item, '… 3,000 items …'))).toEqual({
      '… 3,000 items …': {
        id: 'more than 1,000 different',
        customer:
          '50 different; Customer 0 (60), Customer 1 (60), Customer 10 (60), Customer 11 (60), Customer 12 (60)',
        status: '2 different; paid (2,999), failed (1)',
        amount: '0 to 99; sum 148,500; 100 different',
      },
    });
  });

  test('stays within its budget, parses, and is the same for any chunks', () => {
    for (const maxBytes of [300, 700, 1500, 4096, 16_000]) {
      const preview = shown(orders, { question: 'ord-2041 ord-77 ord-1234', indent, maxBytes });
      expect(byteLength(preview)).toBeLessThanOrEqual(maxBytes);
      expect(JSON.parse(preview)).toBeDefined();
      expect(shown(orders, { question: 'ord-2041 ord-77 ord-1234', indent, maxBytes, chunkChars: 777 })).toBe(preview);
    }
  });
});

test('the key of a profile states how many items it counts', () => {
  const mixed = orders
    .slice(0, 400)
    .map((order, index) => (index % 4 === 0 ? { ...order, text: 'word '.repeat(1000) } : order));
  const items = JSON.parse(shown(mixed)) as Record<string, Record<string, string>>[];
  const profile = items.find((item) => Object.hasOwn(item, '… 300 items counted, of 400 …'));
  expect(profile?.['… 300 items counted, of 400 …']?.status).toBe('1 different; paid (300)');
});

test('records deep inside a document are found', () => {
  const nested = {
    meta: { source: 'billing' },
    data: { pages: [{ rows: orders.slice(0, 1500) }, { rows: orders.slice(1500) }] },
  };
  expect(shown(nested, { question: 'ord-2041' })).toContain('"id":"ord-2041"');
});

test('a dictionary shows the member that the question names', () => {
  const stations = Object.fromEntries(
    orders.map(({ id, amount }) => [`K${id.slice(4).padStart(4, '0')}`, { temperature: amount, wind: 3 }]),
  );
  const preview = JSON.parse(shown(stations, { question: 'How warm is it at K1777?' })) as Record<string, unknown>;
  expect(preview.K1777).toEqual({ temperature: 77, wind: 3 });
  expect(preview['… 3,000 members …']).toMatchObject({ wind: '3 to 3; sum 9,000; 1 different; 3 (3,000)' });
});

test('a key of the data that looks like the profile is escaped', () => {
  const forged = orders.map((order, index) => (index === 0 ? { ...order, '… 3,000 items …': 'forged' } : order));
  const preview = shown(forged, { question: 'forged' });
  expect(preview.match(/"… 3,000 items …"/g)).toHaveLength(1);
});
