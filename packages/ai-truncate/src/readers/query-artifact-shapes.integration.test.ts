import { describe, expect, test } from 'vitest';
import { callReader } from '../../fixtures/call-reader.ts';
import { moreShapeQuestions } from '../../fixtures/more-shape-questions.ts';
import { type RecordShape, shapes } from '../../fixtures/record-shapes.ts';
import type { ShapeQuestion } from '../../fixtures/shape-question.ts';
import { shapeQuestions } from '../../fixtures/shape-questions.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import type { TruncatedOutput } from '../protocol/truncated-output.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { truncateOutput } from '../tools/truncate-output.ts';

const store = memoryStore();
const artifacts = scopedArtifacts(store, { scope: 'chat-1' });

/** The path of an output as the wrapper saves it. */
async function pathOf(output: unknown): Promise<string> {
  const options = { store, scope: 'chat-1', toolName: 'fetch', toolCallId: 'call-1', maxBytes: 2048 };
  const truncated = (await truncateOutput(output, options)) as TruncatedOutput;
  return truncated.data.truncation.full_output_path as string;
}

const paths = new Map(
  await Promise.all(
    Object.entries(shapes).map(async ([key, { value, text }]) => {
      const oneLine = await artifacts.save(JSON.stringify(value), { toolName: 'fetch', toolCallId: 'call-2' });
      return [key, { value: await pathOf(value), oneLine: oneLine.path, text: await pathOf(text) }] as const;
    }),
  ),
);

/** Sums are added up in another order. */
const rounded = (value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(11)) : value;
const comparable = (rows: Record<string, unknown>[], unordered = false): unknown[] => {
  const plain = rows.map((row) => Object.fromEntries(Object.entries(row).map(([key, value]) => [key, rounded(value)])));
  return unordered ? plain.toSorted((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1)) : plain;
};

type Form = 'value' | 'oneLine' | 'text';

async function ask({ shape, query, within = [] }: ShapeQuestion, form: Form) {
  const { at, value } = shapes[shape] as RecordShape;
  const outer = form === 'text' ? [] : (at ?? placeIn(value));
  const place = within.length > 0 || (at && form !== 'text') ? { at: [...outer, ...within] } : {};
  return callReader(artifacts, 'queryArtifact', { path: paths.get(shape)?.[form], ...place, ...query });
}

/** The place of the records in a document, for a question about lists within them. */
function placeIn(value: unknown): string[] {
  if (Array.isArray(value)) return [];
  if ('data' in (value as object)) return ['data', 'viewer', 'repositories', 'edges'];
  if ('message' in (value as object)) return ['message', 'items'];
  return 'laureates' in (value as object) ? ['laureates'] : [];
}

const questions = [...shapeQuestions, ...moreShapeQuestions];

test('there are at least 120 questions, about each of twelve shapes', () => {
  expect(questions.length).toBeGreaterThanOrEqual(120);
  expect(new Set(questions.map(({ shape }) => shape)).size).toBe(12);
});

describe.each(Object.keys(shapes))('%s', (shape) => {
  const own = questions.filter((question) => question.shape === shape);

  test.each(own.map((question) => [question.asks, question] as const))('%s', async (_, question) => {
    const { records } = shapes[shape] as RecordShape;
    const expected = question.answer([...records]);
    expect(expected.length).toBeGreaterThan(0);
    for (const form of ['value', 'oneLine', 'text'] as const) {
      const { data, output, text } = await ask(question, form);
      if (output.status === 'error') throw new Error(`${form}: ${text}`);
      expect(comparable(data.rows, question.unordered), form).toEqual(comparable(expected, question.unordered));
      const matched = question.matched?.([...records]) ?? expected.length;
      expect(output.stats?.total_matched, form).toBe(matched);
    }
  });
});
