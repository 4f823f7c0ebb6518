import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { artifactRoute } from '../../fixtures/artifact-route.ts';

const route = artifactRoute();
const names = new Map<string, Promise<string>>();

/** One artifact for each content, because reading does not change it. */
function nameOf(bytes: Uint8Array): Promise<string> {
  const key = bytes.join();
  const name = names.get(key) ?? route.save(bytes, 'application/octet-stream');
  names.set(key, name);
  return name;
}

const contents = fc.constantFrom(
  ...[0, 1, 2, 255, 4096].map((length) => new Uint8Array(length).map((_, at) => at * 7)),
);
const bound = fc.oneof(fc.nat({ max: 5000 }), fc.constantFrom(0, 1, 4095, 4096, 2 ** 53, 1e21));
const digits = (number: number) => BigInt(number).toString();

describe('any range of any artifact', () => {
  test('is the slice of its bytes', async () => {
    const statuses: Record<number, number> = {};
    const property = fc.asyncProperty(contents, bound, fc.option(bound), async (bytes, first, last) => {
      const range = `bytes=${digits(first)}-${last === null ? '' : digits(last)}`;
      const response = await route.get(`${await nameOf(bytes)}/raw`, { headers: { range } });
      statuses[response.status] = (statuses[response.status] ?? 0) + 1;
      const expected = bytes.slice(first, last === null ? undefined : last + 1);
      if (expected.length === 0 || (last !== null && last < first)) {
        expect(response.status).toBe(416);
        expect(response.headers.get('content-range')).toBe(`bytes */${bytes.length}`);
        return;
      }
      expect(response.status).toBe(206);
      expect(response.headers.get('content-range')).toBe(
        `bytes ${first}-${first + expected.length - 1}/${bytes.length}`,
      );
      expect(response.headers.get('content-length')).toBe(String(expected.length));
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(expected);
    });
    await fc.assert(property, { numRuns: 3000 });
    expect(statuses[206]).toBeGreaterThan(300);
    expect(statuses[416]).toBeGreaterThan(300);
  });

  test('from its end has as many of its last bytes', async () => {
    const property = fc.asyncProperty(contents, bound, async (bytes, count) => {
      const range = `bytes=-${digits(count)}`;
      const response = await route.get(`${await nameOf(bytes)}/raw`, { headers: { range } });
      expect(response.status).toBe(count === 0 ? 416 : bytes.length === 0 ? 200 : 206);
      if (count === 0) return;
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes.slice(-Math.min(count, bytes.length)));
    });
    await fc.assert(property, { numRuns: 1000 });
  });

  test('never fails the server, for any header', async () => {
    const bytes = new Uint8Array(100);
    const name = await nameOf(bytes);
    const header = fc.oneof(fc.string(), fc.stringMatching(/^bytes=[\d, -]{0,40}$/), fc.stringMatching(/^[a-z]+=.*$/));
    const property = fc.asyncProperty(header, header, async (range, condition) => {
      const headers = new Headers();
      for (const [key, value] of Object.entries({ range, 'if-range': condition })) {
        const isSendable = /^[\x20-\x7e]*$/.test(value);
        if (isSendable) headers.set(key, value);
      }
      const response = await route.get(`${name}/raw`, { headers });
      expect([200, 206, 416]).toContain(response.status);
      await response.body?.cancel();
    });
    await fc.assert(property, { numRuns: 1000 });
    expect(route.errors).toEqual([]);
  });
});
