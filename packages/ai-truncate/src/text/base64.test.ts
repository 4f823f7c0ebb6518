import { expect, test } from 'vitest';
import { dataUrlPieces } from './base64.ts';

test.each([0, 1, 2, 3, 8189, 8190, 8191, 20_000])('%i bytes come back from their data URL', async (length) => {
  const bytes = Uint8Array.from({ length }, (_, index) => index % 256);
  const response = await fetch([...dataUrlPieces(bytes)].join(''));
  expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
});

test('a piece is short for any number of bytes', () => {
  const lengths = Array.from(dataUrlPieces(new Uint8Array(100_000)), (piece) => piece.length);
  expect(Math.max(...lengths)).toBeLessThan(16 * 1024);
});
