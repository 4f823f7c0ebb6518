import { asSchema, type FlexibleSchema } from 'ai';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { createArtifactTools } from './create-artifact-tools.ts';

const tools = createArtifactTools(scopedArtifacts(memoryStore(), { scope: 'chat-1' }));

function schemaOf(from: typeof tools, name: keyof typeof tools) {
  return asSchema(from[name].inputSchema as FlexibleSchema<unknown>).jsonSchema;
}

async function told(names: (keyof typeof tools)[]): Promise<string> {
  const each = names.map(async (name) => ({
    name,
    description: tools[name].description,
    inputSchema: await schemaOf(tools, name),
  }));
  return JSON.stringify(await Promise.all(each));
}

describe('the descriptions of the readers in every request', () => {
  test('have at most 640 tokens for the three default readers', async () => {
    const tokens = countTokens(await told(['readArtifact', 'grepArtifacts', 'queryArtifact']));
    expect(tokens).toBeLessThanOrEqual(640);
    // A lower bound too, so that a schema that lost its content does not count as a short one.
    expect(tokens).toBeGreaterThan(300);
  });

  test('have at most 120 tokens more for the two optional readers', async () => {
    expect(countTokens(await told(['listArtifacts', 'globArtifacts']))).toBeLessThanOrEqual(120);
  });

  test('are the same for every set, so that the prompt cache works', async () => {
    const others = createArtifactTools(scopedArtifacts(memoryStore(), { scope: 'chat-2' }));
    for (const name of Object.keys(tools) as (keyof typeof tools)[]) {
      expect(others[name].description).toBe(tools[name].description);
      expect(await schemaOf(others, name)).toEqual(await schemaOf(tools, name));
    }
  });
});
