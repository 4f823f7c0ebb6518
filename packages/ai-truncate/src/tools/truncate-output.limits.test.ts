import { describe, expect, test } from 'vitest';
import { returning } from '../../fixtures/returning-tool.ts';
import { runTool, truncatedOf } from '../../fixtures/run-tool.ts';
import { truncateToolResultsMiddleware } from '../middleware/truncate-tool-results-middleware.ts';
import type { KeepInput } from '../preview/limits.ts';
import { memoryStore } from '../stores/memory-store.ts';
import { modelText } from '../text/frame.ts';
import { type TruncateOutputOptions, truncateOutput } from './truncate-output.ts';
import { truncateToolOutputs } from './truncate-tool-outputs.ts';

const call = { scope: 'chat-1', toolName: 'read', toolCallId: 'call_1' };

async function bound(output: unknown, options: Partial<TruncateOutputOptions>): Promise<unknown> {
  return truncateOutput(output, { store: memoryStore(), ...call, ...options });
}

/** The whole text that the model sees. */
async function seen(output: unknown, options: Partial<TruncateOutputOptions>): Promise<string> {
  const { text, data } = truncatedOf(await bound(output, options));
  return modelText({ text, preview: data.preview });
}

const linesOf = (character: string) =>
  Array.from({ length: 5000 }, (_, index) => `${index}: ${character.repeat(40)}`).join('\n');
const rowsOf = (character: string) => Array.from({ length: 2000 }, (_, id) => ({ id, name: character.repeat(40) }));

describe('a preview in characters', () => {
  for (const character of ['x', 'é', '文', '🙂']) {
    test.each(['auto', 'head', 'tail', 'ends'] as const)(
      `is full of ${character}, with \`keep: '%s'\``,
      async (keep) => {
        const text = await seen(linesOf(character), { previewChars: 6000, keep });
        expect(text.length).toBeLessThanOrEqual(6000);
        // `ends` leaves a fifth to the gap.
        expect(text.length).toBeGreaterThan(4500);
      },
    );

    test(`is within the limit for a value of ${character}, and for the result of a function`, async () => {
      expect((await seen(rowsOf(character), { previewChars: 3000 })).length).toBeLessThanOrEqual(3000);
      const keep = () => character.repeat(9000);
      expect((await seen(linesOf(character), { previewChars: 3000, keep })).length).toBeLessThanOrEqual(3000);
    });
  }

  test('may be set for a tool, and replaces the bytes of the set, and the other way round', async () => {
    const tools = { read: returning(linesOf('文')), list: returning(linesOf('文')) };
    const options = { store: memoryStore(), scope: 'chat-1', readers: false } as const;
    const inChars = truncateToolOutputs(tools, {
      ...options,
      previewBytes: 2048,
      perTool: { read: { previewChars: 4000 } },
    });
    const inBytes = truncateToolOutputs(tools, {
      ...options,
      previewChars: 4000,
      perTool: { read: { previewBytes: 2048 } },
    });
    const bytesOf = async (set: typeof inChars, toolName: string) =>
      Buffer.byteLength(String((await runTool(set, { toolName })).sent.value));
    expect(await bytesOf(inChars, 'read')).toBeGreaterThan(6000);
    expect(await bytesOf(inChars, 'list')).toBeLessThanOrEqual(2048);
    expect(await bytesOf(inBytes, 'read')).toBeLessThanOrEqual(2048);
    expect(await bytesOf(inBytes, 'list')).toBeGreaterThan(6000);
  });
});

describe('a limit that is switched off', () => {
  test('lets an output pass that only this limit would stop', async () => {
    const manyLines = 'line\n'.repeat(9000);
    expect(await bound(manyLines, { maxLines: false })).toBe(manyLines);
    const manyBytes = 'x'.repeat(200_000);
    expect(await bound(manyBytes, { maxBytes: false })).toBe(manyBytes);
    expect(await bound(manyBytes, { maxBytes: false, maxLines: false, maxChars: 200_000 })).toBe(manyBytes);
  });

  test.each(['auto', 'head', 'tail', 'ends'] as const)(
    'is `null` in the envelope, and the preview is as usual: %s',
    async (keep) => {
      const { data } = truncatedOf(await bound('line\n'.repeat(20_000), { maxLines: false, maxChars: 60_000, keep }));
      expect(data.truncation).toMatchObject({ max_lines: null, max_bytes: 51_200, max_chars: 60_000, reason: 'bytes' });
      expect(data.truncation.kept_bytes).toBeGreaterThan(10_000);
    },
  );

  test('still truncates an output that fits into no context', async () => {
    const { data } = truncatedOf(await bound('x'.repeat(17 * 1024 ** 2), { maxBytes: false }));
    expect(data.truncation).toMatchObject({ reason: 'bytes', max_bytes: 16 * 1024 ** 2, original_lines: 1 });
    const stream = ReadableStream.from(Array.from({ length: 18 }, () => 'x'.repeat(1024 ** 2)));
    expect(truncatedOf(await bound(stream, { maxBytes: false })).data.truncation.original_bytes).toBe(18 * 1024 ** 2);
  });

  test('is not in the envelope if there is no limit in characters', async () => {
    const { data } = truncatedOf(await bound('x'.repeat(60_000), {}));
    expect(data.truncation).not.toHaveProperty('max_chars');
  });
});

describe('salient lines of an application', () => {
  // Each line has a different word, so that no line is shown because it is rare.
  const nameOf = (index: number) => String(index).replaceAll(/\d/g, (digit) => 'abcdefghij'.charAt(Number(digit)));
  const log = Array.from({ length: 5000 }, (_, index) => `INFO order ${index} was paid by ${nameOf(index)}`);
  log[2500] = 'INFO order 48215 was declined by the bank';
  log[2600] = 'INFO 订单 支付失败';

  test('are shown with their numbers, for text and for NDJSON', async () => {
    const shown = await seen(log.join('\n'), { salient: ['declined', '支付失败'] });
    expect(shown).toContain('\n2501: INFO order 48215 was declined by the bank\n');
    expect(shown).toContain('\n2601: INFO 订单 支付失败\n');
    expect(await seen(log.join('\n'), {})).not.toContain('declined');
    const rows = log.map((text, id) => JSON.stringify({ id, text })).join('\n');
    expect(await seen(rows, { salient: ['declined'] })).toContain(
      '{"id":2500,"text":"INFO order 48215 was declined by the bank"}',
    );
  });

  test('are the same for a stream', async () => {
    const text = log.join('\n');
    const stream = ReadableStream.from([text.slice(0, 50_000), text.slice(50_000)]);
    // The first line contains the path.
    const previewOf = (shown: string) => shown.slice(shown.indexOf('\n'));
    const options = { salient: ['was \\w+ by'] };
    expect(previewOf(await seen(stream, options))).toBe(previewOf(await seen(text, options)));
  });

  test('may be set for a tool, and replace the lines of the set', async () => {
    const tools = { read: returning(log.join('\n')), list: returning(log.join('\n')) };
    const set = truncateToolOutputs(tools, {
      store: memoryStore(),
      scope: 'chat-1',
      readers: false,
      salient: ['declined'],
      perTool: { read: { salient: ['支付失败'] }, list: { maxLines: 1000 } },
    });
    const [read, list] = await Promise.all(
      ['read', 'list'].map(async (toolName) => String((await runTool(set, { toolName })).sent.value)),
    );
    expect([read?.includes('支付失败'), read?.includes('declined')]).toEqual([true, false]);
    expect([list?.includes('支付失败'), list?.includes('declined')]).toEqual([false, true]);
  });

  test('are marked for a `keep` function', async () => {
    const keep = ({ marked }: KeepInput) => marked.map(({ line }) => line).join();
    expect(await seen(log.join('\n'), { salient: ['declined'], keep })).toContain('\n2501\n');
  });

  test('are refused by the name of their option', () => {
    const options = { store: memoryStore(), scope: 'chat-1', perTool: { read: { salient: ['(?=a)'] } } };
    expect(() => truncateToolOutputs({ read: returning('') }, options)).toThrow(
      '`perTool.read.salient[0]` is refused.',
    );
    expect(() => truncateToolResultsMiddleware({ salient: 'a' as never })).toThrow('`salient` must be an array');
  });
});
