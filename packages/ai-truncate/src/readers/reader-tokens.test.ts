import { asSchema, type FlexibleSchema } from 'ai';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
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

describe('what every request tells of the readers', () => {
  it('has at most 600 tokens for the three that a set gets', async () => {
    const tokens = countTokens(await told(['readArtifact', 'grepArtifacts', 'queryArtifact']));
    expect(tokens).toBeLessThanOrEqual(600);
    // As a number, so that a schema that lost its content does not pass for a short one.
    expect(tokens).toBeGreaterThan(300);
  });

  it('has at most 120 tokens more for the two that are asked for', async () => {
    expect(countTokens(await told(['listArtifacts', 'globArtifacts']))).toBeLessThanOrEqual(120);
  });

  it('is the same for every set, so that a cached prompt holds', async () => {
    const others = createArtifactTools(scopedArtifacts(memoryStore(), { scope: 'chat-2' }));
    for (const name of Object.keys(tools) as (keyof typeof tools)[]) {
      expect(others[name].description).toBe(tools[name].description);
      expect(await schemaOf(others, name)).toEqual(await schemaOf(tools, name));
    }
  });
});
