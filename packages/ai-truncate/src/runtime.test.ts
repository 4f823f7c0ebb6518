import { afterEach, describe, expect, test, vi } from 'vitest';
import { anySignal, now, parseUrl } from './runtime.ts';

afterEach(() => vi.restoreAllMocks());

describe.each([
  ['with `AbortSignal.any`', AbortSignal.any],
  ['without `AbortSignal.any`', undefined],
])('anySignal %s', (_, any) => {
  const combine: typeof anySignal = (signals) => {
    const own = Object.getOwnPropertyDescriptor(AbortSignal, 'any') as PropertyDescriptor;
    Object.defineProperty(AbortSignal, 'any', { ...own, value: any });
    try {
      return anySignal(signals);
    } finally {
      Object.defineProperty(AbortSignal, 'any', own);
    }
  };

  test('aborts with the reason of the first that aborts', () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const signal = combine([undefined, one.signal, other.signal]);
    expect(signal.aborted).toBe(false);
    other.abort('other');
    expect(signal.reason).toBe('other');
    one.abort('one');
    expect(signal).toMatchObject({ aborted: true, reason: 'other' });
  });

  test('is aborted where one has aborted already', () => {
    const signals = [new AbortController().signal, AbortSignal.abort('first'), AbortSignal.abort('second')];
    expect(combine(signals)).toMatchObject({ aborted: true, reason: 'first' });
  });

  test('calls the listeners of the combined signal once', () => {
    const [one, other] = [new AbortController(), new AbortController()];
    const onAbort = vi.fn();
    combine([one.signal, other.signal]).addEventListener('abort', onAbort);
    one.abort();
    other.abort();
    expect(onAbort).toHaveBeenCalledTimes(1);
  });

  test('never aborts without a signal', () => {
    expect(combine([undefined]).aborted).toBe(false);
  });

  test('is the only signal that is given', () => {
    const { signal } = new AbortController();
    expect(combine([undefined, signal])).toBe(signal);
  });
});

test('now goes on without `performance`', () => {
  vi.stubGlobal('performance', undefined);
  vi.spyOn(Date, 'now').mockReturnValue(7);
  expect(now()).toBe(7);
  vi.unstubAllGlobals();
});

test.each([
  ['https://example.com/a', 'https://example.com/a'],
  ['not a URL', undefined],
])('parseUrl needs no `URL.parse`: %s', (text, expected) => {
  const parse = vi.spyOn(URL, 'parse').mockImplementation(() => {
    throw new TypeError('URL.parse is not a function');
  });
  expect(parseUrl(text)?.href).toBe(expected);
  expect(parse).not.toHaveBeenCalled();
});
