import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // A separate step, because trials measure, and would also measure tests of the library that run at the same time. The
    // benchmarks may run with the trials, because their figures do not matter at small size.
    include: ['lab/**/*.test.ts', 'bench/**/*.test.ts'],
    maxWorkers: 2,
    // Two trials at once, because the next trials cost as much as they save.
    maxConcurrency: 2,
    testTimeout: 300_000,
  },
});
