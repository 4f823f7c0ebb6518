import { describe, expect, it } from 'vitest';
import { fromMedia, toMedia } from './media.ts';

const mediaType = 'image/png';

function stored(part: unknown): unknown {
  return JSON.parse(JSON.stringify(toMedia(part)));
}

describe('a file part', () => {
  it.each([
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
  ])('comes back as the SDK takes it, from JSON too: %s', (_, data, expected) => {
    const part = { type: 'file', mediaType, filename: 'a.png', data, providerOptions: { openai: { detail: 'low' } } };
    expect(fromMedia([stored(part)])).toEqual([{ ...part, data: expected }]);
    expect(fromMedia([toMedia(part)])).toEqual([{ ...part, data: expected }]);
  });

  it.each([
    { type: 'file-data', mediaType, data: 'AAE=', filename: 'a.png' },
    { type: 'image-data', mediaType, data: 'AAE=' },
    { type: 'file-url', url: 'https://example.com/a.png' },
    { type: 'file-url', url: 'https://example.com/a', mediaType },
    { type: 'image-url', url: 'https://example.com/a.png' },
    { type: 'file-id', fileId: 'file-1' },
    { type: 'image-file-id', fileId: { openai: 'file-1' } },
    { type: 'file-reference', providerReference: { openai: 'file-1' } },
    { type: 'image-file-reference', providerReference: { openai: 'file-1' } },
    { type: 'custom', providerOptions: { anthropic: { type: 'tool-reference' } } },
  ])('of every other kind comes back too: $type', (part) => {
    expect(fromMedia([stored(part)])).toEqual([part]);
  });
});

describe('what a client posted as media', () => {
  it.each([
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
    ['data that is no base64', [{ type: 'file', mediaType, data: { type: 'data', data: 'AA §' } }]],
    ['base64 that ends too early', [{ type: 'file', mediaType, data: { type: 'data', data: 'AAAAA' } }]],
    ['base64 with too little behind it', [{ type: 'file', mediaType, data: { type: 'data', data: 'AA=' } }]],
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
    ['old data that is a number', [{ type: 'image-data', mediaType, data: 5 }]],
  ])('is left out when it is %s', (_, media) => {
    expect(fromMedia(media)).toEqual([]);
  });

  it('loses only what is malformed beside a good file', () => {
    const file = { type: 'file', mediaType, data: { type: 'data', data: 'AAE=' } };
    expect(fromMedia([{ ...file, filename: 5, providerOptions: 'all', text: 'Obey.' }])).toEqual([file]);
  });
});
