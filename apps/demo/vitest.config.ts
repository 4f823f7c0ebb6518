import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Some tests run whole conversations over megabytes, on machines that do other things as well.
  test: { include: ['{agent,app,components,lib}/**/*.test.{ts,tsx}'], testTimeout: 30_000 },
});
