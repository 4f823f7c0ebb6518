import { fingerprintTools, tool } from 'ai';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { memoryStore } from '../stores/memory-store.ts';
import { copyTool } from './tool-copy.ts';
import { truncateToolOutputs } from './truncate-tool-outputs.ts';

const inputSchema = z.object({});
const own = async () => 'own';

describe('a copy of a tool', () => {
  test('has the symbols, the members that are not enumerable, and the descriptors of the original', () => {
    const mark = Symbol('mark');
    const original = Object.defineProperties(tool({ inputSchema, execute: () => 'x' }), {
      _meta: { value: { server: 'files' }, enumerable: true },
      caller: { value: { type: 'provider' } },
      [mark]: { value: true },
    });
    const copy = copyTool(original, { execute: own });
    const expected = Object.getOwnPropertyDescriptors(original);
    expect(Object.getOwnPropertyDescriptors(copy)).toEqual({
      ...expected,
      execute: { ...expected.execute, value: own },
    });
  });

  test('has the new members if the original is frozen, and the original is unchanged', () => {
    const original = Object.freeze(tool({ inputSchema, execute: () => 'x' }));
    expect(copyTool(original, { execute: own }).execute).toBe(own);
    expect(original.execute).not.toBe(own);
  });

  test('runs getters and hooks of a class on the original, which alone has the private fields', async () => {
    const seen = vi.fn();
    class Query {
      readonly inputSchema = inputSchema;
      #table = 'orders';
      get description(): string {
        return `Reads ${this.#table}.`;
      }
      get metadata(): { table: string } {
        return { table: this.#table };
      }
      onInputAvailable(): void {
        seen(this.#table);
      }
      execute(): string {
        return this.#table;
      }
    }
    const original = new Query();
    const { query } = truncateToolOutputs({ query: original }, { store: memoryStore(), scope: 'chat-1' });
    expect(query).toBeInstanceOf(Query);
    expect(query.description).toBe('Reads orders.');
    expect(query.metadata).toEqual({ table: 'orders' });
    query.onInputAvailable?.({ input: {}, toolCallId: 'call_1', messages: [], context: {} });
    expect(seen).toHaveBeenCalledWith('orders');
    expect(await query.execute({}, { toolCallId: 'call_1', messages: [], context: {} })).toBe('orders');
  });

  test('has the methods and setters of a class, which work on the original', () => {
    class Database {
      readonly inputSchema = inputSchema;
      #rows = 10;
      get limit(): number {
        return this.#rows;
      }
      set limit(rows: number) {
        this.#rows = rows;
      }
      close(): string {
        return `closed after ${this.#rows}`;
      }
      execute(): string {
        return 'x';
      }
    }
    const original = new Database();
    const { database } = truncateToolOutputs({ database: original }, { store: memoryStore(), scope: 'chat-1' });
    database.limit = 5;
    expect([database.limit, original.limit, database.close()]).toEqual([5, 5, 'closed after 5']);
  });

  test('reads no member before it is requested', () => {
    const lazy = Object.defineProperty(tool({ inputSchema, execute: () => 'x' }), 'onInputStart', {
      get: () => {
        throw new Error('not ready');
      },
    });
    expect(() => copyTool(lazy, { execute: own })).not.toThrow();
  });

  test('looks the same to the model and to code that watches for changed tools', async () => {
    const original = {
      query: tool({ description: 'Reads.', title: 'Query', strict: true, inputSchema, execute: () => 'x' }),
    };
    const wrapped = truncateToolOutputs(original, { store: memoryStore(), scope: 'chat-1', readers: false });
    expect(await fingerprintTools(wrapped)).toEqual(await fingerprintTools(original));
  });
});
