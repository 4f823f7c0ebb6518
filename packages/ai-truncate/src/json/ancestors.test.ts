import { expect, test } from 'vitest';
import { Ancestors } from './ancestors.ts';

test('ancestors are known from when they are added until they are removed, however many', () => {
  const ancestors = new Ancestors();
  const objects = Array.from({ length: 200_000 }, (_, id) => ({ id }));
  const sample = [0, 65_535, 65_536, 131_072, 199_999].map((index) => objects[index] as object);

  for (const object of objects) ancestors.add(object);
  expect(sample.map((object) => ancestors.has(object))).toEqual([true, true, true, true, true]);

  for (const object of objects.slice(65_536).reverse()) ancestors.remove(object);
  expect(sample.map((object) => ancestors.has(object))).toEqual([true, true, false, false, false]);

  for (const object of objects.slice(0, 65_536).reverse()) ancestors.remove(object);
  expect(sample.map((object) => ancestors.has(object))).toEqual([false, false, false, false, false]);
});
