import { expect, test } from 'vitest';
import { artifactStoreContract } from './artifact-store-contract.ts';
import { memoryStore } from './memory-store.ts';

test('a case that a store cannot pass is skipped with the reason, never dropped', () => {
  const all = artifactStoreContract({ open: () => memoryStore() });
  const declared = artifactStoreContract({
    open: () => memoryStore(),
    cannot: { createExclusively: 'no conditional writes' },
  });
  expect(all.every(({ skip }) => skip === false)).toBe(true);
  expect(declared.map(({ name }) => name)).toEqual(all.map(({ name }) => name));
  expect(declared.filter(({ skip }) => skip === 'no conditional writes')).toHaveLength(3);
});

test('names an option that cannot work', () => {
  expect(() => artifactStoreContract({} as never)).toThrow('`open` must be a function');
  const misspelt = { open: () => memoryStore(), cannot: { reopn: 'x' } as never };
  expect(() => artifactStoreContract(misspelt)).toThrow('Unknown option `cannot.reopn`. Did you mean `reopen`?');
});
