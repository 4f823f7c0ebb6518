import { randomBytes } from 'node:crypto';
import type { NextConfig } from 'next';

const nextConfig: NextConfig = {
  poweredByHeader: false,
  // Only server code names it. The functions of a deployment share nothing else when nothing is set; see lib/session-secret.ts.
  ...(process.env.VERCEL && { env: { BUILT_SESSION_SECRET: randomBytes(32).toString('base64url') } }),
  outputFileTracingIncludes: {
    // Read at run time by searchDocs and readDoc, which no bundler sees.
    '/api/chat': ['./node_modules/ai/docs/**'],
  },
};

export default nextConfig;
