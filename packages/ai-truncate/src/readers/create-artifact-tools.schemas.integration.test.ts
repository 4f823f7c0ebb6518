import { createOpenAI } from '@ai-sdk/openai';
import { generateText, type ModelMessage } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenAiServer, startOpenAiServer } from '../../fixtures/openai-server.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { createArtifactTools, type ReaderName } from './create-artifact-tools.ts';

// How providers convert a schema, according to their packages: OpenAI requires a list to define its items; Gemini, until
// `@ai-sdk/google` 4.0.0 by a conversion to OpenAPI 3.0, takes an `enum` of typed texts only, loses the `items` of a union that
// is a list of types, and sends a schema without a type as one of nothing. None of the readers asks for OpenAI's strict mode,
// which would need every parameter to be required.

interface JsonSchema {
  type?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  enum?: unknown[];
  description?: string;
}

const UNDERSTOOD = ['type', 'properties', 'required', 'items', 'anyOf', 'enum', 'description'];
/** Additions of the SDK to a schema, which OpenAI and Gemini support. */
const ADDED = ['$schema', 'additionalProperties'];
const NAMES: ReaderName[] = ['readArtifact', 'grepArtifacts', 'queryArtifact', 'listArtifacts', 'globArtifacts'];

const tools = createArtifactTools(scopedArtifacts(memoryStore(), { scope: 'chat-1' }));
const messages: ModelMessage[] = [{ role: 'user', content: 'Look.' }];

/** Parts of a schema that a provider would drop or refuse, each with its place. */
function faultsIn(schema: JsonSchema, place: string): string[] {
  const faults: string[] = [];
  const { type, properties = {}, required = [], items, anyOf = [] } = schema;
  const unknown = Object.keys(schema).filter((key) => ![...UNDERSTOOD, ...ADDED].includes(key));
  if (unknown.length > 0) faults.push(`${place} has ${unknown.join(', ')}`);
  if (anyOf.length === 0 ? typeof type !== 'string' : type !== undefined) faults.push(`${place} has not one type`);
  if (anyOf.length > 0 && Object.keys(schema).length > 1) faults.push(`${place} has something next to anyOf`);
  if (anyOf.some((each) => each.type === 'null')) faults.push(`${place} becomes nullable next to anyOf`);
  if (type === 'array' && !items) faults.push(`${place} does not say what its items are`);
  if (type !== 'array' && items) faults.push(`${place} has items but is not a list`);
  if (schema.enum && (type !== 'string' || !schema.enum.every((each) => typeof each === 'string')))
    faults.push(`${place} has an enum that is not text`);
  for (const name of required)
    if (!Object.hasOwn(properties, name)) faults.push(`${place} requires ${name}, which does not exist`);
  if (type === 'object' && Object.keys(properties).length === 0)
    faults.push(`${place} is an object without parameters`);
  for (const [name, inner] of Object.entries(properties)) faults.push(...faultsIn(inner, `${place}.${name}`));
  for (const [index, inner] of anyOf.entries()) faults.push(...faultsIn(inner, `${place}|${index}`));
  return items ? [...faults, ...faultsIn(items, `${place}[]`)] : faults;
}

describe('the parameters of the readers, as the SDK passes them to a provider', () => {
  test.each(NAMES)('have one type each, which every provider supports: %s', async (name) => {
    const model = new MockLanguageModelV4({
      doGenerate: async () => ({
        content: [{ type: 'text', text: 'done' }],
        finishReason: { unified: 'stop', raw: undefined },
        usage: {
          inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
          outputTokens: { total: 1, text: 1, reasoning: undefined },
        },
        warnings: [],
      }),
    });
    await generateText({ model, tools, messages });
    const offered = model.doGenerateCalls[0]?.tools?.find((each) => each.type === 'function' && each.name === name);
    if (offered?.type !== 'function') throw new Error('not offered');
    expect(faultsIn(offered.inputSchema as JsonSchema, name)).toEqual([]);
    expect(offered.strict).toBe(false);
  });

  test('say that a condition compares with one value or a list', () => {
    const schema = (tools.queryArtifact.inputSchema as unknown as { jsonSchema: JsonSchema }).jsonSchema;
    const { value } = schema.properties?.where?.items?.properties ?? {};
    expect(value?.anyOf?.map(({ type }) => type)).toEqual(['string', 'number', 'boolean', 'array', 'object']);
  });
});

describe('the parameters of the readers, as OpenAI gets them', () => {
  let server: OpenAiServer;
  beforeAll(async () => {
    server = await startOpenAiServer({ type: 'message', role: 'assistant', id: 'msg_1', content: [] });
  });
  afterAll(() => server.close());

  test('are the parameters of the readers, unaltered and not in strict mode', async () => {
    const openai = createOpenAI({ baseURL: server.baseURL, apiKey: 'none' });
    const { warnings } = await generateText({ model: openai('gpt-5-mini'), tools, messages });
    expect(warnings ?? []).toEqual([]);
    const { tools: sent } = JSON.parse(server.bodies[0] ?? '') as {
      tools: { name: string; parameters: JsonSchema; strict?: boolean }[];
    };
    expect(sent.map(({ name }) => name)).toEqual(Object.keys(tools));
    for (const { name, parameters, strict } of sent) {
      expect(faultsIn(parameters, name)).toEqual([]);
      expect(strict).toBe(false);
    }
  });
});
