import { expect, test } from '@playwright/test';
import { startRefused } from './demo-server.ts';

for (const [name, value, sentence] of [
  [
    'BLOB_READ_WRITE_TOKEN',
    'secret-but-wrong',
    'BLOB_READ_WRITE_TOKEN is a text of 16 characters, which is not a token of a Blob store',
  ],
  [
    'OPENAI_BASE_URL',
    'localhost',
    'OPENAI_BASE_URL is "localhost", which is not a URL that begins with http:// or https://.',
  ],
  ['DEMO_LOG_MB', 'huge', 'DEMO_LOG_MB is "huge", which is not a number from 0.01 to 500.'],
  ['TOOL_OUTPUT_MAX_BYTES', '50k', '`TOOL_OUTPUT_MAX_BYTES` must be a whole number of at least 1024; got'],
  [
    'SESSION_SECRET',
    'secret-but-wrong',
    'SESSION_SECRET is a text of 16 characters, which is not a secret (at least 32 characters, without blanks).',
  ],
  ['DEMO_LIMITS_FILE', 'nowhere.json', 'DEMO_LIMITS_FILE is "nowhere.json", which is not a JSON file that can be read'],
  [
    'TOOL_OUTPUT_DIR',
    'public/outputs',
    'TOOL_OUTPUT_DIR is "public/outputs", which is not a directory that only this store uses',
  ],
] as const) {
  test(`${name}=${value} ends the start with one sentence that names it`, async () => {
    const { exitCode, output } = await startRefused({ [name]: value });
    expect(exitCode).toBe(1);
    expect(output).toContain(sentence);
    expect(output).not.toContain('secret-but-wrong');
    expect(output).not.toMatch(/\n\s+at /);
  });
}
