import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // The type tests (`*.test-d.ts`) have no run time: `tsc` finds what fails in them, in `pnpm typecheck`.
    include: ['src/**/*.test.ts'],
    // One worker per processor. By default Vitest leaves one processor free, which is half of a small machine.
    maxWorkers: '100%',
    // A property runs up to 100,000 cases, on a machine that is busy with other tests.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Many tests cause warnings of the library. The tests of the warnings check the calls of the console.
    onConsoleLog: (log) => !log.startsWith('ai-truncate: '),
  },
});
