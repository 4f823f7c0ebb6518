import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { propertyRuns } from '../../fixtures/property-runs.ts';
import type { RedactedCounts } from '../text/redaction.ts';
import { redactorOf } from '../text/redactor.ts';
import { secretPatterns } from '../text/secret-patterns.ts';
import { redactChunks, redactError, redactModelOutput } from './redact-output.ts';

const redactor = redactorOf(secretPatterns);
const token = `ghp_${'aB3'.repeat(12)}`;
const shown = '[REDACTED:github-token]';
const redaction = () => ({ redactor, counts: {} as RedactedCounts });

async function bytesOf(chunks: AsyncIterable<string | Uint8Array>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const chunk of chunks) all.push(Buffer.from(chunk as string));
  return Buffer.concat(all);
}

describe('the chunks of a stream', () => {
  test('keep every byte that is no text', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.oneof(
            fc.uint8Array({ maxLength: 9 }),
            fc.string({ unit: 'binary', maxLength: 5 }).map((text) => Buffer.from(text)),
          ),
        ),
        async (chunks) => {
          expect(await bytesOf(redactChunks(chunks, redaction()))).toEqual(Buffer.concat(chunks));
        },
      ),
      { numRuns: propertyRuns({ sample: 200, full: 100_000 }) },
    );
  });

  test('have no secret, even between bytes that are no text', async () => {
    const broken = Buffer.from([0xff, 0xc3, 0x28, 0xe2, 0x82]);
    const all = Buffer.concat([broken, Buffer.from(` ${token} `), broken]);
    const chunks = Array.from(all, (byte) => Uint8Array.of(byte));
    const expected = Buffer.concat([broken, Buffer.from(` ${shown} `), broken]);
    expect(await bytesOf(redactChunks(chunks, redaction()))).toEqual(expected);
  });

  test('may be text and bytes in turn, and pairs may be cut', async () => {
    const chunks = [
      'a\ud83d',
      '\ude00',
      Buffer.from('é').subarray(0, 1),
      Buffer.from('é').subarray(1),
      `${token.slice(0, 9)}`,
      Buffer.from(token.slice(9)),
      '\ud83d',
    ];
    // The letter before the token would make it a part of a word.
    chunks.splice(4, 0, ' ');
    expect(String(await bytesOf(redactChunks(chunks, redaction())))).toBe(`a😀é ${shown}\ufffd`);
  });

  test('end when the reader leaves', async () => {
    let isClosed = false;
    async function* endless() {
      try {
        for (;;) yield 'x'.repeat(1000);
      } finally {
        isClosed = true;
      }
    }
    for await (const _ of redactChunks(endless(), redaction())) break;
    expect(isClosed).toBe(true);
  });
});

describe('an error', () => {
  test('without secrets is the same error', async () => {
    const error = Object.assign(new Error('no', { cause: new Error('why') }), { status: 404 });
    expect(await redactError(error, redaction())).toBe(error);
  });

  test.each<[string, () => Error]>([
    ['its message', () => new TypeError(`failed with ${token}`)],
    ['its members', () => Object.assign(new TypeError('failed'), { config: { headers: { token } } })],
    ['its cause', () => new TypeError('failed', { cause: new Error(token) })],
    ['a thrown cause', () => new TypeError('failed', { cause: { token } })],
    ['one of its errors', () => new AggregateError([new Error('a'), new Error(token)], 'failed')],
    [
      'the last of many errors',
      () => new AggregateError([...Array.from({ length: 20 }, () => new Error('a')), new Error(token)], 'failed'),
    ],
    [
      'members that are too large to be searched',
      () => Object.assign(new TypeError('failed'), { body: 'x'.repeat(300_000) }),
    ],
  ])('with a secret in %s is replaced', async (_, make) => {
    const error = make();
    const replaced = (await redactError(error, redaction())) as Error & { code: string };
    expect(replaced).toMatchObject({ code: 'TOOL_ERROR_REDACTED', name: error.name });
    expect(replaced.message).toBe(error.message.replace(token, shown));
    expect(replaced.stack).not.toContain(token);
    expect(replaced.cause).toBeUndefined();
  });

  test('counts a secret once', async () => {
    const counts: RedactedCounts = {};
    await redactError(new Error(`failed with ${token}`), { redactor, counts });
    expect(counts).toEqual({ 'github-token': 1 });
  });
});

describe('the result for the model', () => {
  test('has no secret in files of text', async () => {
    const data = Buffer.from(`a ${token}`).toString('base64');
    const picture = { type: 'file', mediaType: 'image/png', data: { type: 'data', data } } as const;
    const value = [
      { type: 'text', text: token },
      { type: 'file', mediaType: 'text/plain', data: { type: 'data', data } },
      { type: 'file', mediaType: 'text/csv', data: { type: 'url', url: new URL(`data:text/csv;base64,${data}`) } },
      picture,
    ];
    expect(await redactModelOutput({ type: 'content', value } as never, redaction())).toEqual({
      type: 'content',
      value: [
        { type: 'text', text: shown },
        { type: 'text', text: `a ${shown}` },
        { type: 'text', text: `a ${shown}` },
        picture,
      ],
    });
  });

  test('without secrets is the same object', async () => {
    const output = { type: 'json', value: { a: 1 } } as const;
    expect(await redactModelOutput(output, redaction())).toBe(output);
  });
});
