import { expect, test } from 'vitest';
import { serverLog } from './server-log';

const logOf = (options: Partial<Parameters<typeof serverLog>[0]> = {}) =>
  [...serverLog({ service: 'checkout', hours: 12, bytes: 1_000_000, ...options })].join('');

test('the same night gives the same text', () => {
  expect(logOf()).toBe(logOf());
  expect(logOf({ service: 'payments' })).not.toBe(logOf());
});

test('the size is close to the requested size', () => {
  for (const bytes of [100_000, 3_000_000]) {
    expect(Math.abs(logOf({ bytes }).length / bytes - 1)).toBeLessThan(0.1);
  }
});

test('the cause is in the middle and before the first failure', () => {
  const lines = logOf().split('\n');
  const cause = lines.findIndex((line) => line.includes('timeoutMs changed from 30000 to 300'));
  const failure = lines.findIndex((line) => line.includes(' ERROR '));
  expect(cause / lines.length).toBeGreaterThan(0.45);
  expect(cause / lines.length).toBeLessThan(0.55);
  expect(failure).toBeGreaterThan(cause);
  expect(failure - cause).toBeLessThan(5);
});

test('even a very short log contains its failure', () => {
  expect(logOf({ bytes: 10_000 })).toContain('was not charged');
});

test('a log of fewer hours is the end of the same night', () => {
  const night = logOf();
  const end = logOf({ hours: 3 });
  expect(night.endsWith(end)).toBe(true);
  expect(end.length / night.length).toBeCloseTo(0.25, 1);
  expect(end).not.toContain('was not charged');
});

test('times ascend, and the inventory service has no failure', () => {
  const times = logOf({ service: 'inventory' })
    .split('\n')
    .slice(0, -1)
    .map((line) => line.slice(0, 24));
  expect(times).toEqual(times.toSorted());
  expect(logOf({ service: 'inventory' })).not.toContain(' ERROR ');
});
