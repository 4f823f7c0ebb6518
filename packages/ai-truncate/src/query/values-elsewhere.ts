import { pace } from '../pace.ts';
import { type Records, START_AGAIN } from '../records/record-text.ts';
import { detach } from '../text/utf.ts';
import { reject } from './arguments.ts';
import { Condition, type QueryScalar, type ValuesElsewhere } from './condition.ts';
import { FieldCatalog, similarField } from './field-catalog.ts';
import { fieldReader, itemsOf } from './fields.ts';
import type { PatternMatcher } from './operators.ts';
import { argumentTexts, unknownFieldText } from './query-words.ts';

/** More values would be a join, which takes more memory than a query may use. */
const MAX_VALUES_ELSEWHERE = 10_000;
const MAX_CHARS_ELSEWHERE = 4_000_000;

/** Opens the records of another output of the same owner. */
export type OpenRecords = (elsewhere: Pick<ValuesElsewhere, 'path' | 'at'>) => Promise<Records> | Records;

/**
 * The different values of a field in another output for which its conditions hold. Throws a `QueryArgumentError` if the output
 * does not have the field, or has too many values.
 */
export async function valuesElsewhere(
  { path, at, field, where = [] }: ValuesElsewhere,
  { open, matcher, abortSignal }: { open: OpenRecords; matcher: PatternMatcher; abortSignal: AbortSignal },
): Promise<QueryScalar[]> {
  const records = await open({ path, ...(at && { at }) });
  const read = fieldReader(field);
  const options = { toMatcher: matcher, patterns: where.length, conditions: where.length };
  const conditions = where.map((each) => new Condition(each, { ...options, read: fieldReader(each.field) }));
  const catalog = new FieldCatalog();
  const values = new Set<unknown>();
  const seen = new Set<string>();
  let chars = 0;
  records.use?.([field, ...where.map((each) => each.field)]);

  const refuse = (limit: Parameters<typeof argumentTexts.tooManyElsewhere>[1]) =>
    reject(argumentTexts.tooManyElsewhere(path, limit));

  function take(record: unknown): void {
    const value = read(record);
    if (value !== undefined) seen.add(field);
    for (const condition of conditions) {
      const tested = condition.look(record);
      if (tested !== undefined) seen.add(condition.condition.field);
      if (!condition.holdsFor(tested)) return;
    }
    for (const item of itemsOf(value) ?? [value]) {
      if (item === null || item === undefined || typeof item === 'object' || values.has(item)) continue;
      values.add(typeof item === 'string' ? detach(item) : item);
      chars += typeof item === 'string' ? item.length : 0;
    }
    if (values.size > MAX_VALUES_ELSEWHERE) refuse({ max: MAX_VALUES_ELSEWHERE, unit: 'values' });
    if (chars > MAX_CHARS_ELSEWHERE) refuse({ max: MAX_CHARS_ELSEWHERE, unit: 'characters of values' });
  }

  async function* steps(): AsyncGenerator<undefined> {
    for await (const batch of records) {
      if (batch === START_AGAIN) {
        values.clear();
        seen.clear();
        catalog.clear();
        chars = 0;
      }
      catalog.look(batch);
      for (const record of batch) {
        take(record);
        yield;
      }
    }
  }
  for await (const _ of pace(steps(), { abortSignal }));
  const unknown = [field, ...where.map((each) => each.field)].find((name) => !seen.has(name));
  if (unknown !== undefined && catalog.fields.length > 0)
    reject(`${path}: ${unknownFieldText(unknown, similarField(catalog.fields, unknown))}`);
  return [...values] as QueryScalar[];
}
