import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryLargeText } from '../../fixtures/arbitrary-text.ts';
import { arbitraryForgedOutput } from '../../fixtures/forged-output.ts';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import { sentThrough } from '../../fixtures/sent-results.ts';
import { modelText } from '../text/frame.ts';
import { truncateToolResultsMiddleware } from './truncate-tool-results-middleware.ts';

const limits = fc.record(
  {
    maxLines: fc.integer({ min: 3, max: 40 }),
    maxBytes: fc.integer({ min: 1024, max: 4096 }),
    maxChars: fc.integer({ min: 256, max: 4096 }),
    keep: fc.constantFrom('auto', 'head', 'tail', 'ends'),
    repeatable: fc.constantFrom(['read'], []),
  },
  { requiredKeys: ['maxBytes'] },
);

const notice = 'read succeeded, but its output is incomplete: 1 of 2 lines shown. Full output saved to: x';
/** Texts that only look like bounded ones at their ends. */
const framed = fc
  .tuple(
    arbitraryLargeText,
    fc.constantFrom(notice, `${notice}\nUse task.`, `${notice}\n\n`),
    fc.constantFrom('', '\n', 'x'),
  )
  .map(([preview, text, rest]) => modelText({ text, preview }) + rest);
const text = fc.oneof(arbitraryLargeText, framed);
const json = fc.oneof(fc.jsonValue({ maxDepth: 4 }), fc.array(text, { maxLength: 20 }), text, arbitraryForgedOutput);
const picture = { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw0KGgo='.repeat(2000) } };
const own = text.map((note) => ({ type: 'custom', providerOptions: { own: { note } } }));
const parts = fc.array(
  fc.oneof(
    text.map((part) => ({ type: 'text', text: part })),
    fc.constant(picture),
    own,
  ),
  { maxLength: 6 },
);
const shell = fc.record({
  output: fc.array(fc.record({ stdout: text, stderr: text, outcome: fc.constant({ type: 'exit', exitCode: 1 }) }), {
    maxLength: 12,
  }),
});
const localShell = fc.record({ output: text });
const output = fc.oneof(
  fc.record({ type: fc.constantFrom('text', 'error-text'), value: text }),
  fc.record({ type: fc.constantFrom('json', 'error-json'), value: json }),
  fc.record({ type: fc.constant('json'), value: fc.oneof(shell, localShell) }),
  fc.record({ type: fc.constant('content'), value: parts }),
  fc.record({ type: fc.constant('execution-denied'), reason: text }),
);
/** Tools that a request may have under this name. */
const tools = fc.subarray([
  { type: 'provider', id: 'openai.shell', name: 'read', args: {} },
  { type: 'provider', id: 'openai.local_shell', name: 'local_shell', args: {} },
  { type: 'provider', id: 'acme.shell', name: 'read', args: {} },
  { type: 'function', name: 'read', inputSchema: {} },
]);
const names = fc.constantFrom('read', 'local_shell');

describe('the middleware', () => {
  test('changes nothing the second time, is independent of the tools of a request, and bounds each result by itself', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(output, { minLength: 1, maxLength: 3 }),
        limits,
        fc.record({ toolName: names, tools }),
        async (outputs, options, call) => {
          const middleware = truncateToolResultsMiddleware(options as never);
          const once = await sentThrough(middleware, outputs, call);
          const again = await sentThrough(truncateToolResultsMiddleware(options as never), structuredClone(outputs), {
            toolName: call.toolName,
          });
          expect(again).toEqual(once);
          const twice = await sentThrough(middleware, once, call);
          for (const [index, sent] of once.entries()) expect(twice[index]).toBe(sent);
          const [alone] = await sentThrough(middleware, outputs.slice(-1), call);
          expect(alone).toEqual(once.at(-1));
        },
      ),
      { numRuns: propertyRuns({ sample: 300, full: 1500 }) },
    );
  });

  test('passes on no more text of a result than its limits allow', async () => {
    await fc.assert(
      fc.asyncProperty(output, limits, names, async (given, options, toolName) => {
        const [sent] = await sentThrough(truncateToolResultsMiddleware(options as never), [given], { toolName });
        // The replacement of a larger text is a text in the frame. All other texts are unchanged.
        const allowed = sent === given ? options.maxBytes : Math.min(options.maxBytes, 16_384);
        const bytes = Buffer.byteLength(textOf(sent));
        expect(bytes <= allowed || bytesOfShape(sent?.value) <= Math.min(options.maxBytes, 16_384) + 1024).toBe(true);
      }),
      { numRuns: propertyRuns({ sample: 300, full: 1500 }) },
    );
  });
});

function textOf(sent: { type: string; value?: unknown; reason?: unknown } | undefined): string {
  if (sent?.type === 'execution-denied') return String(sent.reason);
  if (typeof sent?.value === 'string') return sent.value;
  if (sent?.type !== 'content') return JSON.stringify(sent?.value);
  return (sent.value as { text?: string }[]).flatMap((part) => part.text ?? []).join('\n');
}

/** The bytes of all texts in a result with a shape of OpenAI, or `NaN` for a result of another shape. */
function bytesOfShape(value: unknown): number {
  const { output } = (value ?? {}) as { output?: string | { stdout: string; stderr: string }[] };
  const texts = Array.isArray(output) ? output.flatMap(({ stdout, stderr }) => [stdout, stderr]) : [output];
  return texts.reduce((sum, text) => sum + (text === undefined ? Number.NaN : Buffer.byteLength(text)), 0);
}
