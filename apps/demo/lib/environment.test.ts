import { expect, test } from 'vitest';
import { readEnvironment } from './environment';

const token = 'vercel_blob_rw_store_secret';

test('without variables the demo has the scripted model, the disk, a log of 40 MB and the limits of the library', () => {
  expect(readEnvironment({})).toEqual({
    logBytes: 40_000_000,
    toolOutput: {},
    isVercel: false,
    paidAnswersPerHour: 60,
  });
});

test('an empty or blank variable counts as not set', () => {
  expect(readEnvironment({ OPENAI_API_KEY: '', DEMO_LOG_MB: '  ', BLOB_READ_WRITE_TOKEN: '' })).toEqual(
    readEnvironment({}),
  );
});

test('all variables are read', () => {
  const variables = {
    OPENAI_API_KEY: 'sk-test',
    OPENAI_BASE_URL: 'http://127.0.0.1:4000/v1',
    OPENAI_MODEL: 'gpt-5',
    BLOB_READ_WRITE_TOKEN: 'vercel_blob_rw_store_secret',
    DEMO_LOG_MB: '1.5',
    MCP_COMMAND: 'node "my server.mjs" --quiet',
    TOOL_OUTPUT_MAX_LINES: '100',
    TOOL_OUTPUT_MAX_BYTES: '4096',
    TOOL_OUTPUT_TRUNCATE_DIRECTION: 'head',
    TOOL_OUTPUT_DIR: '/data/outputs',
    TOOL_OUTPUT_RETENTION_DAYS: '14',
    VERCEL: '1',
  };
  expect(readEnvironment(variables)).toEqual({
    openai: {
      apiKey: 'sk-test',
      baseURL: 'http://127.0.0.1:4000/v1',
      modelId: 'gpt-5',
      exploreModelId: 'gpt-5',
    },
    blob: { token: 'vercel_blob_rw_store_secret' },
    logBytes: 1_500_000,
    paidAnswersPerHour: 60,
    mcpCommand: ['node', 'my server.mjs', '--quiet'],
    toolOutput: {
      maxLines: 100,
      maxBytes: 4096,
      keep: 'head',
      directory: '/data/outputs',
      retentionDays: 14,
    },
    isVercel: true,
  });
});

test.each([
  ['as Vercel connects it, by OIDC', { BLOB_STORE_ID: 'store_abc' }, {}],
  ['with a token as well', { BLOB_STORE_ID: 'store_abc', BLOB_READ_WRITE_TOKEN: token }, { token }],
  ['with a token alone', { BLOB_READ_WRITE_TOKEN: token }, { token }],
  ['not at all', { BLOB_STORE_ID: ' ' }, undefined],
])('a Blob store is connected %s', (_, variables, blob) => {
  expect(readEnvironment(variables).blob).toEqual(blob);
});

test('the sub-agent may have its own model', () => {
  const { openai } = readEnvironment({ OPENAI_API_KEY: 'sk-test', OPENAI_EXPLORE_MODEL: 'gpt-5-nano' });
  expect(openai).toMatchObject({ modelId: 'gpt-5-mini', exploreModelId: 'gpt-5-nano' });
});

test.each([
  [
    'OPENAI_API_KEY',
    'two words',
    'OPENAI_API_KEY is a text of 9 characters, which is not a key (one word, without blanks).',
  ],
  [
    'OPENAI_BASE_URL',
    'localhost:4000',
    'OPENAI_BASE_URL is "localhost:4000", which is not a URL that begins with http:// or https://.',
  ],
  [
    'OPENAI_MODEL',
    'gpt 5',
    'OPENAI_MODEL is "gpt 5", which is not the id of a model (letters, digits and - . _ : / @).',
  ],
  [
    'BLOB_READ_WRITE_TOKEN',
    'abc',
    'BLOB_READ_WRITE_TOKEN is a text of 3 characters, which is not a token of a Blob store (vercel_blob_rw_…).',
  ],
  [
    'BLOB_STORE_ID',
    'https://store.example',
    'BLOB_STORE_ID is "https://store.example", which is not the id of a Blob store (store_…).',
  ],
  ['DEMO_LOG_MB', '501', 'DEMO_LOG_MB is "501", which is not a number from 0.01 to 500.'],
  ['DEMO_LOG_MB', 'big', 'DEMO_LOG_MB is "big", which is not a number from 0.01 to 500.'],
  [
    'MCP_COMMAND',
    'node "server.mjs',
    'MCP_COMMAND is "node \\"server.mjs", which is not a command line: a quote in it is never closed.',
  ],
  [
    'DEMO_PAID_ANSWERS_PER_HOUR',
    '0',
    'DEMO_PAID_ANSWERS_PER_HOUR is "0", which is not a whole number from 1 to 100000.',
  ],
  [
    'SESSION_SECRET',
    'short',
    'SESSION_SECRET is a text of 5 characters, which is not a secret (at least 32 characters, without blanks).',
  ],
  [
    'CRON_SECRET',
    'short',
    'CRON_SECRET is a text of 5 characters, which is not a secret (at least 32 characters, without blanks).',
  ],
  ['TOOL_OUTPUT_MAX_LINES', '1e3', "`TOOL_OUTPUT_MAX_LINES` must be a whole number of at least 1; got '1e3'."],
  [
    'TOOL_OUTPUT_MAXLINES',
    '5',
    'Unknown environment variable `TOOL_OUTPUT_MAXLINES`. Did you mean `TOOL_OUTPUT_MAX_LINES`?',
  ],
])('%s=%s is refused with one sentence', (name, value, sentence) => {
  expect(() => readEnvironment({ [name]: value })).toThrow(sentence);
});

test('no error shows a secret, not even a misspelt secret', () => {
  expect(() => readEnvironment({ BLOB_READ_WRITE_TOKEN: 'vercel_blob_rw_store_sec ret' })).toThrow(/^(?!.*sec ret)/);
});
