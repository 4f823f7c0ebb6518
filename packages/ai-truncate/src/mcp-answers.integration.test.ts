import { convertToModelMessages, generateText } from 'ai';
import { describe, expect, test } from 'vitest';
import { loopbackMcpTools } from '../fixtures/loopback-mcp.ts';
import { scriptedModel, toolResultsSentTo } from '../fixtures/scripted-model.ts';
import { streamedCall } from '../fixtures/streamed-call.ts';
import { isTruncatedOutput } from './protocol/truncated-output.ts';

/** The limit for the JSON that carries a truncated output to the UI and the chat log: twice its preview and 8 KiB. */
const maxCarriedBytes = 2 * 16_384 + 8192;
const log = Array.from({ length: 60_000 }, (_, index) => `line ${index + 1}: äöü 🙂 nothing to see`).join('\r\n');

describe('an image next to a large text', () => {
  const image = { type: 'image', mimeType: 'image/png', data: Buffer.alloc(100_000, 1).toString('base64') };
  const answer = { content: [{ type: 'text', text: log }, image] };
  const parts = [
    { type: 'text', text: expect.stringMatching(/^read succeeded, but its output is incomplete: /) },
    { type: 'file', mediaType: 'image/png', data: { type: 'data', data: image.data } },
  ];

  test('goes to the model after the preview', async () => {
    const { sent, output, artifact } = await streamedCall(await loopbackMcpTools(answer), ['read']);
    expect(sent).toEqual({ type: 'content', value: parts });
    expect(output).toMatchObject({ data: { media: [parts[1]] } });
    expect(await artifact()).toBe(log);
  });

  test('goes to the model again from a stored chat', async () => {
    const { message, tools } = await streamedCall(await loopbackMcpTools(answer), ['read']);
    const messages = await convertToModelMessages([message], { tools });
    const model = scriptedModel();
    await generateText({ model, messages: [...messages, { role: 'user', content: 'and then?' }] });
    expect(toolResultsSentTo(model)[0]?.output).toEqual({ type: 'content', value: parts });
  });
});

describe('structured content', () => {
  const rows = Array.from({ length: 20_000 }, (_, id) => ({ id }));
  const summary = { type: 'text', text: '20,000 rows' };

  test.each([
    ['little', [summary], false],
    ['little of an error', [summary], true],
    ['nothing', [], false],
  ])('is bounded on its own when the model receives %s', async (_, content, isError) => {
    const tools = await loopbackMcpTools({ content, structuredContent: { rows }, isError });
    const { sent, output, outputsInMessage } = await streamedCall(tools, ['read']);
    expect(sent.value).toEqual(content);
    expect(output).toMatchObject({ content, isError });
    expect(isTruncatedOutput((output as Record<string, unknown>).structuredContent)).toBe(true);
    expect(outputsInMessage).toEqual([output]);
    expect(Buffer.byteLength(JSON.stringify(output))).toBeLessThanOrEqual(maxCarriedBytes);
  });
});
