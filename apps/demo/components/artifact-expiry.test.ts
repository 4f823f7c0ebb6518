import { expect, test } from 'vitest';
import { expiredSince, expiryWords } from './artifact-expiry';

const name = 'tool_20260113_153045_read-server-logs_call-123_7f3k9q2m4x8p1z5c.txt';

test('a name says to the second when its output expires', () => {
  const at = (time: string) => expiryWords(name, { retentionDays: 7, now: Date.parse(time) });
  expect(at('2026-01-20T15:30:44Z')).toBeUndefined();
  expect(at('2026-01-20T15:30:45Z')).toBe(
    'It is saved for 7 days, and its name has the date 2026-01-13, so it has expired.',
  );
  expect(at('2026-01-01T00:00:00Z')).toBeUndefined();
});

test('a text that is not a name has no expiry', () => {
  for (const text of ['', 'notes.txt', 'tool_20260113_153045_x', 'tool_20261399_999999_a_b_7f3k9q2m4x8p1z5c.txt']) {
    expect(expiryWords(text, { retentionDays: 1, now: Date.parse('2027-01-01') })).toBeUndefined();
  }
});

test('a duration is given in the unit that fits', () => {
  const now = Date.parse('2026-01-20T12:00:00Z');
  expect(expiredSince('2026-01-20T12:00:01Z', now)).toBeUndefined();
  expect(expiredSince('2026-01-20T12:00:00Z', now)).toBe('0 min');
  expect(expiredSince('2026-01-20T10:00:00Z', now)).toBe('2 h');
  expect(expiredSince('2026-01-13T12:00:00Z', now)).toBe('7 days');
  expect(expiredSince(undefined, now)).toBeUndefined();
  expect(expiredSince('soon', now)).toBeUndefined();
});
