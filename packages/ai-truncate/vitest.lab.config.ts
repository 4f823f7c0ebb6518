import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // A step of its own: trials measure, and the tests of the library beside them would be measured too. The benchmarks may run
    // beside the trials, because at small size nothing is asked of their figures.
    include: ['lab/**/*.test.ts', 'bench/**/*.test.ts'],
    maxWorkers: 2,
    testTimeout: 300_000,
  },
});
