import { defineConfig } from 'tsdown';

export default defineConfig({
  // Each is a sub-path of the package: `ai-truncate/filesystem` is `dist/filesystem.js`.
  entry: {
    index: 'src/index.ts',
    filesystem: 'src/stores/filesystem/filesystem-store.ts',
    'vercel-blob': 'src/stores/vercel-blob/vercel-blob-store.ts',
    'files-sdk': 'src/stores/files-sdk/files-sdk-store.ts',
    http: 'src/http.ts',
    protocol: 'src/protocol.ts',
    config: 'src/config.ts',
    testing: 'src/stores/artifact-store-contract.ts',
  },
  // The neutral platform knows no modules of Node; only /filesystem has them.
  deps: { neverBundle: [/^node:/] },
  // A module each, so that a bundler leaves out what nothing uses: in one file, every constant of it stays.
  unbundle: true,
  format: 'esm',
  dts: true,
  platform: 'neutral',
  target: 'es2023',
  fixedExtension: false,
});
