import { describe, expect, test } from 'vitest';
import { FieldCatalog, type KnownField, plainName, similarField } from './field-catalog.ts';

function catalogOf(...batches: unknown[][]): FieldCatalog {
  const catalog = new FieldCatalog();
  for (const batch of batches) catalog.look(batch);
  return catalog;
}

const namesIn = (...batches: unknown[][]) => catalogOf(...batches).fields.map(({ name }) => name);

describe('the fields of records', () => {
  test('have their types and some short examples', () => {
    const records = [{ id: 1, at: '2026-01-05' }, { id: '7', at: null }, { id: 2 }];
    expect(catalogOf(records).fields).toEqual([
      { name: 'id', types: ['number', 'numeric text'], examples: [1, '7', 2] },
      { name: 'at', types: ['date', 'null'], examples: ['2026-01-05'] },
    ]);
  });

  test('have up to three different examples, none of them empty or long', () => {
    const values = ['', 'a', 'a', 'x'.repeat(61), 'y'.repeat(60), false, {}, 'b'];
    const [field] = catalogOf(values.map((v) => ({ v }))).fields;
    expect(field?.examples).toEqual(['a', 'y'.repeat(60), false]);
  });

  test('are named down to the third level, through the first items of lists', () => {
    expect(namesIn([{ a: { b: { c: { d: 1 } } }, list: [{ x: 1 }, { y: 2 }], tags: ['t'] }])).toEqual([
      'a.b.c',
      'list',
      'list.x',
      'tags',
    ]);
  });

  test('are the places of records that are lists', () => {
    expect(namesIn([['x', { a: 1 }]])).toEqual(['0', '1']);
  });

  test('are one for records that are not objects', () => {
    expect(catalogOf([3, 'x']).fields).toEqual([{ name: 'value', types: ['number', 'text'], examples: [3, 'x'] }]);
  });

  test('may have the names of inherited members', () => {
    expect(namesIn([JSON.parse('{"__proto__":1,"constructor":{"x":2}}')])).toEqual(['__proto__', 'constructor.x']);
  });

  test('have no empty name, and no name of more than 200 characters', () => {
    expect(namesIn([{ '': 1, ['n'.repeat(200)]: 1, ['n'.repeat(201)]: 1 }])).toEqual(['n'.repeat(200)]);
  });

  test('are at most 200, of the first 500 keys of a record', () => {
    const wide = (from: number) => Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`f${from + at}`, at]));
    expect(namesIn([wide(0), wide(5000)])).toHaveLength(200);
    const repeated = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`${'n'.repeat(201)}${at}`, 1]));
    expect(namesIn([{ first: 1, ...repeated, last: 1 }])).toEqual(['first']);
  });

  test('are learned from all of the first 1,000 records, and then from one of each batch', () => {
    const batch = (length: number, name: string) => Array.from({ length }, (_, at) => ({ [`${name}${at}`]: 1 }));
    expect(namesIn(batch(2, 'a'), [], batch(2, 'b'))).toEqual(['a0', 'a1', 'b0', 'b1']);
    expect(namesIn(Array(999).fill({ x: 1 }), batch(2, 'b'))).toEqual(['x', 'b0', 'b1']);
    expect(namesIn(Array(1000).fill({ x: 1 }), batch(2, 'b'), [], batch(2, 'c'))).toEqual(['x', 'b0', 'c0']);
  });

  test('are forgotten when the records came from the wrong place', () => {
    const catalog = catalogOf(Array(1000).fill({ x: 1 }));
    catalog.clear();
    catalog.look([{ a: 1 }, { b: 1 }]);
    expect(catalog.fields.map(({ name }) => name)).toEqual(['a', 'b']);
  });
});

describe('the short list of fields', () => {
  const listOf = (count: number, length: number) =>
    catalogOf([Object.fromEntries(Array.from({ length: count }, (_, at) => [`${at}`.padStart(length, 'f'), 1]))]);

  test('has at most 40 fields, without examples', () => {
    const list = listOf(100, 3).shortList();
    expect(list).toHaveLength(40);
    expect(list[0]).toEqual({ name: 'ff0', types: ['number'] });
  });

  test('has at most 3,000 characters', () => {
    const list = listOf(40, 200).shortList();
    expect(list.length).toBeGreaterThan(10);
    expect(JSON.stringify(list).length).toBeLessThanOrEqual(3000);
  });
});

describe('the field that was probably meant', () => {
  const fields = (...names: string[]): KnownField[] => names.map((name) => ({ name, types: ['text'], examples: [] }));

  test.each([
    ['userid', ['id', 'user_id'], 'user_id'],
    ['User-ID', ['user_id'], 'user_id'],
    ['avg(temp_max)', ['avg_temp_max'], 'avg_temp_max'],
    ['$.items[0].Price', ['items.price'], 'items.price'],
    ['price', ['name', 'item.price'], 'item.price'],
    ['order.price', ['item.price'], 'item.price'],
    ['name', ['first_name', 'id'], 'first_name'],
    ['Größe', ['größe'], 'größe'],
  ])('for %s in %j is %s', (wanted, names, expected) => {
    expect(similarField(fields(...names), wanted)).toBe(expected);
  });

  test('is the same name rather than the end of a path, and this rather than a part of a name', () => {
    expect(similarField(fields('my_name', 'a.name', 'Name'), 'name')).toBe('Name');
    expect(similarField(fields('my_name', 'a.name'), 'name')).toBe('a.name');
  });

  test('is a field of the same object if the object exists', () => {
    expect(similarField(fields('price', 'items.cost', 'items.unit_price'), 'items.price')).toBe('items.unit_price');
    expect(similarField(fields('price', 'items.cost'), 'items.price')).toBeUndefined();
    expect(similarField(fields('price', 'items.cost'), 'items.discount.price')).toBeUndefined();
  });

  test.each(['', '?!', 'x', 'id', 'nothing'])('is unknown for %j', (wanted) => {
    expect(similarField(fields('uuid', 'max', 'width'), wanted)).toBeUndefined();
  });

  test('is found for a name of any length', () => {
    expect(similarField(fields('a'), 'a.'.repeat(250))).toBeUndefined();
  });
});

test('a plain name has neither case nor punctuation', () => {
  expect(['avg(temp_max)', 'Avg Temp-Max', '日本 1', '_.-'].map(plainName)).toEqual([
    'avgtempmax',
    'avgtempmax',
    '日本1',
    '',
  ]);
});
