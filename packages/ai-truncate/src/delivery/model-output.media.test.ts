import { describe, expect, test } from 'vitest';
import { textOfFile } from './content-parts.ts';
import { fromMedia, toMedia } from './model-output.ts';

const mediaType = 'image/png';

async function stored(part: unknown): Promise<unknown> {
  return JSON.parse(JSON.stringify(await toMedia([part])));
}

describe('a file part', () => {
  test.each([
    ['bytes', { type: 'data', data: new Uint8Array([0, 1, 254, 255]) }, { type: 'data', data: 'AAH+/w==' }],
    ['a buffer', { type: 'data', data: new Uint8Array([0, 1]).buffer }, { type: 'data', data: 'AAE=' }],
    ['base64', { type: 'data', data: 'AAH+/w==' }, { type: 'data', data: 'AAH+/w==' }],
    ['base64 in lines', { type: 'data', data: 'AAH+\r\n/w==\n' }, { type: 'data', data: 'AAH+/w==' }],
    [
      'a URL',
      { type: 'url', url: new URL('https://example.com/a.png') },
      { type: 'url', url: new URL('https://example.com/a.png') },
    ],
    [
      'a data URL',
      { type: 'url', url: new URL('data:image/png;base64,AAE=') },
      { type: 'url', url: new URL('data:image/png;base64,AAE=') },
    ],
    [
      'a reference',
      { type: 'reference', reference: { openai: 'file-1' } },
      { type: 'reference', reference: { openai: 'file-1' } },
    ],
  ])('returns in the form of the SDK, even through JSON: %s', async (_, data, expected) => {
    const part = { type: 'file', mediaType, filename: 'a.png', data, providerOptions: { openai: { detail: 'low' } } };
    expect(fromMedia(await stored(part))).toEqual([{ ...part, data: expected }]);
    expect(fromMedia(await toMedia([part]))).toEqual([{ ...part, data: expected }]);
  });

  test.each([
    { type: 'file-data', mediaType, data: 'AAE=', filename: 'a.png' },
    { type: 'image-data', mediaType, data: 'AAE=' },
    { type: 'file-url', url: 'https://example.com/a.png' },
    { type: 'file-url', url: 'https://example.com/a', mediaType },
    { type: 'image-url', url: 'https://example.com/a.png' },
    { type: 'file-id', fileId: 'file-1' },
    { type: 'image-file-id', fileId: { openai: 'file-1' } },
    { type: 'file-reference', providerReference: { openai: 'file-1' } },
    { type: 'image-file-reference', providerReference: { openai: 'file-1' } },
    { type: 'file', mediaType: 'text/csv', data: { type: 'reference', reference: { openai: 'file-1' } } },
    { type: 'custom', providerOptions: { anthropic: { type: 'tool-reference' } } },
  ])('has any other valid kind too: $type', async (part) => {
    expect(fromMedia(await stored(part))).toEqual([part]);
  });
});

describe('media posted by a client', () => {
  test.each([
    ['no list', { type: 'file' }],
    ['nothing', [null, undefined]],
    ['words and numbers', ['https://example.com/a.png', 5]],
    ['an unknown kind', [{ type: 'script', data: 'AAE=' }]],
    ['text', [{ type: 'text', text: 'Obey.' }]],
    ['text that says it is a file', [{ type: 'file', mediaType, data: { type: 'text', text: 'Obey.' } }]],
    ['a file without data', [{ type: 'file', mediaType }]],
    ['a file whose data is null', [{ type: 'file', mediaType, data: null }]],
    ['a file whose data is a string', [{ type: 'file', mediaType, data: 'AAE=' }]],
    ['a file without a media type', [{ type: 'file', data: { type: 'data', data: 'AAE=' } }]],
    ['data that is a number', [{ type: 'file', mediaType, data: { type: 'data', data: 5 } }]],
    ['data that is not base64', [{ type: 'file', mediaType, data: { type: 'data', data: 'AA §' } }]],
    ['base64 that ends too early', [{ type: 'file', mediaType, data: { type: 'data', data: 'AAAAA' } }]],
    [
      'base64 that is followed by too few characters',
      [{ type: 'file', mediaType, data: { type: 'data', data: 'AA=' } }],
    ],
    ['a script as a URL', [{ type: 'file', mediaType, data: { type: 'url', url: 'javascript:alert(1)' } }]],
    ['a file of the server', [{ type: 'file', mediaType, data: { type: 'url', url: 'file:///etc/passwd' } }]],
    ['half a URL', [{ type: 'file', mediaType, data: { type: 'url', url: '//example.com' } }]],
    ['a data URL of text', [{ type: 'file', mediaType, data: { type: 'url', url: 'data:text/plain,Obey.' } }]],
    ['a data URL of nothing', [{ type: 'file', mediaType, data: { type: 'url', url: 'data:nothing' } }]],
    ['a reference that is a word', [{ type: 'file', mediaType, data: { type: 'reference', reference: 'file-1' } }]],
    ['a script as an old URL', [{ type: 'image-url', url: 'javascript:alert(1)' }]],
    ['a number as an old URL', [{ type: 'file-url', url: 7 }]],
    ['a number as an old name', [{ type: 'file-id', fileId: 7 }]],
    ['an old reference without a provider', [{ type: 'file-reference', providerReference: [1] }]],
    ['text as data', [{ type: 'file', mediaType: 'text/plain', data: { type: 'data', data: 'T2JleS4=' } }]],
    ['text as old data', [{ type: 'file-data', mediaType: 'application/json', data: 'T2JleS4=' }]],
    ['text as a data URL', [{ type: 'image-url', url: 'data:text/plain;base64,T2JleS4=' }]],
    ['a long URL', [{ type: 'image-url', url: `https://example.com/${'x'.repeat(5000)}` }]],
    ['an id that is a text', [{ type: 'file-id', fileId: 'Obey. '.repeat(100) }]],
    ['a reference that is a text', [{ type: 'file-reference', providerReference: { openai: 'Obey. '.repeat(100) } }]],
    ['a type that is a text', [{ type: 'image-data', mediaType: `image/${'x'.repeat(1000)}`, data: 'AAE=' }]],
    ['old data that is a number', [{ type: 'image-data', mediaType, data: 5 }]],
  ])('is left out if it is %s', (_, media) => {
    expect(fromMedia(media)).toEqual([]);
  });

  test('loses only malformed parts, and keeps a valid file', () => {
    const file = { type: 'file', mediaType, data: { type: 'data', data: 'AAE=' } };
    expect(fromMedia([{ ...file, filename: 5, providerOptions: 'all', text: 'Obey.' }])).toEqual([file]);
  });

  test('has names and options of a bounded size, and at most a hundred parts', () => {
    const file = { type: 'file', mediaType, data: { type: 'data', data: 'AAE=' } };
    const text = 'Obey. '.repeat(1000);
    expect(fromMedia([{ ...file, filename: text, providerOptions: { openai: { text } } }])).toEqual([file]);
    expect(fromMedia(Array(5000).fill(file))).toHaveLength(100);
  });
});

describe('a file part that contains text', () => {
  test.each<[string, Record<string, unknown>, string | undefined]>([
    ['said by its data', { mediaType, data: { type: 'text', text: 'a ü' } }, 'a ü'],
    ['said by its type, in base64', { mediaType: 'text/csv', data: { type: 'data', data: 'YSDDvA==' } }, 'a ü'],
    [
      'said by its type, in bytes',
      { mediaType: 'application/json', data: { type: 'data', data: new TextEncoder().encode('a ü') } },
      'a ü',
    ],
    ['an old file', { type: 'file-data', mediaType: 'text/csv', data: 'YSDDvA==' }, 'a ü'],
    ['a drawing is a picture', { mediaType: 'image/svg+xml', data: { type: 'data', data: 'YSDDvA==' } }, undefined],
    ['not said', { mediaType, data: { type: 'data', data: 'AAE=' } }, undefined],
  ])('counts as text: %s', (_, part, text) => {
    expect(textOfFile({ type: 'file', ...part })).toBe(text);
  });
});
