import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // A step of its own: trials measure, and other tests beside them would be measured too.
    include: ['lab/**/*.test.ts', 'bench/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 300_000,
  },
});
