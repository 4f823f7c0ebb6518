import { expect, test } from 'vitest';
import { seededRandom } from '../fixtures/planted-secrets.ts';
import { leaksIn, passWithSecrets, someSecrets, wayNames } from '../fixtures/redaction-trial.ts';

// A sample. `pnpm lab redaction` plants a thousand secrets.

test.each(wayNames)('no planted secret is seen anywhere: %s', async (way) => {
  for (let seed = 0; seed < 6; seed++) {
    const random = seededRandom(seed + 100 * wayNames.indexOf(way));
    const secrets = someSecrets(random, 4);
    const seen = await passWithSecrets(way, random, secrets);
    expect(leaksIn(seen, secrets), `seed ${seed}`).toEqual([]);
    expect(seen.text).toMatch(/\[REDACTED:|TOOL_ERROR_REDACTED/);
  }
});
