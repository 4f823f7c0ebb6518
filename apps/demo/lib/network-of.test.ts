import { expect, test } from 'vitest';
import { networkOf } from './network-of';

const from = (address: string) => ({ headers: new Headers({ 'x-real-ip': address }) });
const onVercel = { isVercel: true };

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['', 'unknown'],
])('%s belongs to the network %s', (address, network) => {
  expect(networkOf(from(address), onVercel)).toBe(network);
});

test('an address header is ignored without a platform that sets it', () => {
  expect(networkOf(from('203.0.113.7'), { isVercel: false })).toBeUndefined();
});

test('an address of any length gives a short key', () => {
  expect(networkOf(from('1:'.repeat(4_000)), onVercel)?.length).toBeLessThan(65);
});
