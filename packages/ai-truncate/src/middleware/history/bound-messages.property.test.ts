import type { ModelMessage, ToolResultPart } from 'ai';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resultsOf } from '../../../fixtures/long-conversation.ts';
import { propertyRuns } from '../../../fixtures/property-runs.ts';
import { scopedArtifacts } from '../../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../../stores/memory-store.ts';
import { wellFormedText } from '../../text/utf.ts';
import { boundMessages } from './bound-messages.ts';
import { isHistoryReference } from './history-words.ts';

const numRuns = propertyRuns({ sample: 150, full: 10_000 });
const words = fc.constantFrom('error', 'the', '漢字', '17,204', 'aB3x', '{"a":', '\n', '\ud83d', 'größer');
/** Up to about 1,000 tokens, so that most conversations pass the high water several times. */
const text = fc
  .tuple(fc.array(words, { minLength: 1, maxLength: 20 }), fc.integer({ min: 1, max: 30 }))
  .map(([some, times]) => `${some.join(' ')} `.repeat(times));
const output: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: text.map((value) => ({ type: 'text', value })) },
  { weight: 2, arbitrary: text.map((value) => ({ type: 'json', value: { value, exitCode: 0 } })) },
  text.map((value) => ({ type: 'content', value: [{ type: 'text', text: value }] })),
  text.map((value) => ({ type: 'error-text', value })),
);

/** A message of any role. Results are in messages of tools and, from a provider, of the assistant. */
const message = fc.oneof(
  { weight: 1, arbitrary: text.map((content) => ({ role: 'user', content }) as const) },
  {
    weight: 3,
    arbitrary: text.map((each) => ({ role: 'assistant', content: [{ type: 'text', text: each }] }) as const),
  },
  {
    weight: 5,
    arbitrary: fc
      .array(fc.record({ toolCallId: fc.stringMatching(/^call_[0-9a-f]{6}$/), output }), { minLength: 1, maxLength: 4 })
      .map((results) => ({
        role: 'tool' as const,
        content: results.map((result) => ({ ...result, type: 'tool-result', toolName: 'read' }) as ToolResultPart),
      })),
  },
);
const limits = fc.record({
  maxTokens: fc.integer({ min: 1000, max: 15_000 }),
  share: fc.integer({ min: 1, max: 10 }).map((tenths) => tenths / 10),
  keepSteps: fc.integer({ min: 1, max: 3 }),
  minTokens: fc.integer({ min: 110, max: 400 }),
});
const messagesUpTo = (maxLength: number) =>
  fc.array(message, { maxLength, size: 'max' }) as unknown as fc.Arbitrary<ModelMessage[]>;
const history = messagesUpTo(40);
/** Short, so that the low water is often not passed again. */
const continuation = messagesUpTo(8);

function options({ share, ...given }: { maxTokens: number; share: number; keepSteps: number; minTokens: number }) {
  return { store: memoryStore(), scope: 'chat-1', targetTokens: Math.floor(given.maxTokens * share), ...given };
}

test('bound(bound(a) + b) = bound(a + b), also after the messages went through JSON', async () => {
  await fc.assert(
    fc.asyncProperty(history, continuation, limits, async (a, b, given) => {
      const whole = await boundMessages([...a, ...b], options(given));
      const first: ModelMessage[] = JSON.parse(JSON.stringify(await boundMessages(a, options(given))));
      const carriedForward = await boundMessages([...first, ...b], options(given));
      expect(JSON.stringify(carriedForward)).toBe(JSON.stringify(whole));
      expect(await boundMessages(whole, options(given))).toEqual(whole);
    }),
    { numRuns },
  );
});

test('every result is where it was, or a reference to exactly its text', async () => {
  await fc.assert(
    fc.asyncProperty(history, limits, async (messages, given) => {
      const all = options(given);
      const bounded = await boundMessages(messages, all);
      const artifacts = scopedArtifacts(all.store, { scope: 'chat-1' });
      const originals = resultsOf(messages);
      for (const [index, result] of resultsOf(bounded).entries()) {
        const original = originals[index]?.output;
        if (result.output.type !== 'text' || !isHistoryReference(result.output.value)) {
          expect(result.output).toEqual(original);
          continue;
        }
        const path = /saved to: (\S+)/.exec(result.output.value)?.[1] ?? '';
        const saved = await new Response(await artifacts.readStream(path)).text();
        if (original?.type === 'json') expect(saved).toBe(wellFormedText(JSON.stringify(original.value, null, 2)));
        else if (original?.type === 'text') expect(saved).toBe(wellFormedText(original.value));
        else expect(original).toEqual({ type: 'content', value: [{ type: 'text', text: expect.any(String) }] });
      }
      expect(bounded.filter(({ role }) => role !== 'tool')).toEqual(messages.filter(({ role }) => role !== 'tool'));
    }),
    { numRuns },
  );
});
