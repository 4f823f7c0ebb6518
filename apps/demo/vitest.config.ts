import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { include: ['{agent,lib,app,components}/**/*.test.ts'] },
});
