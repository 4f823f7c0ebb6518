import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { docExample } from '../fixtures/doc-example.ts';
import { log, oneLine, quotes, rows } from '../fixtures/one-megabyte.ts';

const MAX_EVENT_BYTES = 200_000;
const page = `<html>${'x'.repeat(183_408)}</html>`;
const outputs: Record<string, unknown> = {
  WebFetch: page,
  'a log': log,
  'one line': oneLine,
  'what JSON doubles': quotes,
  'characters that have six bytes in JSON': '\0'.repeat(32 * 1024),
  'slightly more of them': '\0'.repeat(50_000),
  'many more of them': '\u0001'.repeat(1_000_000),
  'a value': rows,
  'a small text': 'short',
  'a small value': { rows: [1, 2, 3] },
};

interface LoggedEvent {
  tool_name: string;
  tool_use_id: string;
  output: { _openagentic_truncated?: true; artifact_path: string; original_chars: number; hint: string };
}

let example: Awaited<ReturnType<typeof docExample>>;
let events: string[] = [];

// As in the guide, a separate program in the root of a project.
beforeAll(async () => {
  example = await docExample('event-log.md', 'recordToolResult');
  const outputsFile = join(example.directory, 'outputs.json');
  await writeFile(outputsFile, JSON.stringify(outputs));
  const program = `
    import { readFile } from 'node:fs/promises';
    import { recordToolResult } from ${JSON.stringify(pathToFileURL(example.file).href)};
    const outputs = Object.entries(JSON.parse(await readFile('outputs.json', 'utf8')));
    for (const [index, [toolName, output]] of outputs.entries())
      await recordToolResult({ sessionId: 'session-7', toolName, toolUseId: 'call_' + (index + 123), output });
  `;
  await writeFile(join(example.directory, 'agent.mjs'), program);
  await promisify(execFile)(process.execPath, ['agent.mjs'], { cwd: example.directory });
  events = (await readFile(join(example.directory, 'events.jsonl'), 'utf8')).trimEnd().split('\n');
});

afterAll(() => example[Symbol.asyncDispose]());

describe('the event log of the documents', () => {
  test('has an event for each output, and no event over 200 KB', () => {
    expect(events).toHaveLength(Object.keys(outputs).length);
    for (const event of events) expect(Buffer.byteLength(event)).toBeLessThan(MAX_EVENT_BYTES);
  });

  test('has small outputs unchanged', () => {
    const small = events.slice(-2).map((event) => (JSON.parse(event) as LoggedEvent).output);
    expect(small).toEqual(['short', { rows: [1, 2, 3] }]);
  });

  test('leads to every byte of the large outputs, by a path with the id of the call', async () => {
    const large = events
      .map((event) => JSON.parse(event) as LoggedEvent)
      .filter(({ output }) => output._openagentic_truncated);
    expect(large).toHaveLength(7);
    for (const { tool_name, tool_use_id, output } of large) {
      expect(output.artifact_path).toMatch(/^\.agents\/tool-output\/session-7\/[\w.-]+$/);
      expect(output.artifact_path).toContain(tool_use_id.replace('_', '-'));
      const kept = await readFile(join(example.directory, output.artifact_path), 'utf8');
      const original = outputs[tool_name];
      const isSame = typeof original === 'string' ? kept === original : kept === JSON.stringify(original, null, 2);
      expect(isSame).toBe(true);
      expect(output.original_chars).toBe(kept.length);
    }
  });

  test('says what to do next', () => {
    const { output } = JSON.parse(events[0] ?? '') as LoggedEvent;
    expect(output.hint).toMatch(/^Full output saved to artifact_path\. Use grepArtifacts .* with offset\/limit/);
    expect(output.original_chars).toBe(183_421);
  });
});
