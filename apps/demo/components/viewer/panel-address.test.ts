import { expect, test } from 'vitest';
import { formatPanelAddress, panelAddressOf, parsePanelAddress } from './panel-address';

const name = 'tool_20260113_153045_read_call-123_7f3k9q2m4x8p1z5c.txt';

test.each([
  { name, lines: undefined },
  { name, lines: { from: 120, to: 140 } },
  { name, lines: { from: 3, to: 3, quote: 'a / b # c' } },
])('the address %o survives its hash', (address) => {
  expect(parsePanelAddress(formatPanelAddress(address))).toEqual(address);
});

test('a link to an output opens it next to the chat, at its lines', () => {
  expect(panelAddressOf(`/a/${name}?chat=c1#L7-L9`)).toEqual({ name, lines: { from: 7, to: 9 } });
});

test.each(['https://ai-sdk.dev', `//evil.example/a/${name}`, '/c/1', '#L7', null])('%s opens nothing', (href) => {
  expect(panelAddressOf(href)).toBeUndefined();
  expect(parsePanelAddress(href ?? '')).toBeUndefined();
});
