import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // The type tests (`*.test-d.ts`) have no run time: `tsc` finds what fails in them, in `pnpm typecheck`.
    include: ['src/**/*.test.ts'],
    // A property runs up to 100,000 cases, on a machine that is busy with other tests.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Tests of stores that fail bring it about; the test of the warning itself looks at the call.
    onConsoleLog: (log) => !log.startsWith('ai-truncate: the full output of a tool was not kept'),
  },
});
