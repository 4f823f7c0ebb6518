import { AiTruncateError } from '../../errors.ts';
import type { filesystemStore as createStore } from './filesystem-store.ts';

export type { FilesystemStoreOptions } from './filesystem-store.ts';

/** The `ai-truncate/filesystem` of runtimes without a file system. Without it, their bundlers fail on `node:fs` with no advice. */
export const filesystemStore: typeof createStore = () => {
  const message =
    '`filesystemStore` needs Node.js, but this code runs on an edge runtime. Remove `runtime = "edge"`, or use `vercelBlobStore()` from ' +
    '`ai-truncate/vercel-blob` or `filesSdkStore()` from `ai-truncate/files-sdk`.';
  throw new AiTruncateError(message, { code: 'UNSUPPORTED_RUNTIME' });
};
