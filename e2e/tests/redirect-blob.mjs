// Loaded into a server before anything else (`--import`): what it reads from the Blob service it reads from BLOB_ORIGIN, since
// `@vercel/blob` can be told another address for everything but reads.
import { redirectBlobHosts } from '../../packages/ai-truncate/fixtures/redirect-blob-hosts.ts';

// The dispatcher of all requests is made for the first of them.
await fetch('data:,');
redirectBlobHosts(String(process.env.BLOB_ORIGIN));
