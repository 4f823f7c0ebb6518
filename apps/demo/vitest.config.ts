import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{agent,app,components,lib}/**/*.test.{ts,tsx}'],
    // One worker per processor. By default Vitest leaves one processor free, which is half of a small machine.
    maxWorkers: '100%',
    // Some tests run whole conversations over megabytes, on machines that do other things as well.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
