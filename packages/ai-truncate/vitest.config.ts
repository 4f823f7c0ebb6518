import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts'],
    typecheck: { enabled: true, include: ['src/**/*.test-d.ts'] },
    // A property runs up to 100,000 cases, on a machine that is busy with other tests.
    testTimeout: 120_000,
  },
});
