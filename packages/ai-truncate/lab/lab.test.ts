import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { cell } from './figures.ts';
import { promises } from './promises.ts';
import { runTrialProcess } from './trial-process.ts';

const page = readFileSync(join(import.meta.dirname, '../../../docs/figures.md'), 'utf8');

for (const [promise, { promise: sentence, trials, measuresTurns = false }] of Object.entries(promises)) {
  // Trials that measure turns run alone. The others mostly wait for disks, processes and servers.
  describe(promise, { concurrent: !measuresTurns }, () => {
    test.for(trials)('at small size: $name', async (trial, { skip, expect }) => {
      const outcome = await runTrialProcess({ promise, trial, size: 'small' });
      if (outcome.status === 'skipped') return skip(outcome.reason);
      expect(outcome.status, `${outcome.measured} (${outcome.how})`).toBe('met');
    });

    test('is in docs/figures.md with each of its trials', () => {
      const section = page.slice(page.indexOf(`<!-- ${promise} -->`), page.indexOf(`<!-- /${promise} -->`));
      expect(section).toContain(`### ${sentence}`);
      const rows = section.split('\n');
      for (const { name, target } of trials) {
        const row = rows.find((line) => line.startsWith(`| ${name} |`));
        expect(row).toContain(` | ${cell(target)} | `);
      }
    });
  });
}
