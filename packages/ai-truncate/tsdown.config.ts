import { defineConfig } from 'tsdown';

export default defineConfig({
  // Each is a sub-path of the package: `ai-truncate/filesystem` is `dist/filesystem.js`.
  entry: {
    index: 'src/index.ts',
    filesystem: 'src/stores/filesystem/filesystem-store.ts',
    'filesystem-on-edge': 'src/stores/filesystem/filesystem-on-edge.ts',
    'vercel-blob': 'src/stores/vercel-blob/vercel-blob-store.ts',
    'files-sdk': 'src/stores/files-sdk/files-sdk-store.ts',
    http: 'src/http.ts',
    protocol: 'src/protocol.ts',
    ui: 'src/ui.ts',
    store: 'src/store.ts',
    extras: 'src/extras.ts',
    config: 'src/config.ts',
    testing: 'src/stores/artifact-store-contract.ts',
  },
  // The neutral platform knows no modules of Node; only /filesystem has them.
  deps: { neverBundle: [/^node:/] },
  // A module per entry and a few that entries share, because each module costs Node time when it is loaded. A bundler drops
  // unused code from within a module, as long as the constants at its top level have no side effects.
  unbundle: false,
  hash: false,
  format: 'esm',
  dts: true,
  platform: 'neutral',
  target: 'es2023',
  fixedExtension: false,
  // An application that emits declarations writes out the types of its tools. The compiler finds a type in an entry only if it has
  // read that entry, and it reads what the root's declarations import.
  banner: ({ fileName }) => ({
    dts: fileName === 'index.d.ts' ? "import './store.js';\nimport './ui.js';" : undefined,
  }),
});
