import { randomBytes } from 'node:crypto';
import type { NextConfig } from 'next';

/** Of every answer but those of `ai-truncate/http`, which has its own. */
const securityHeaders = Object.entries({
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
}).map(([key, value]) => ({ key, value }));

/** An answer of a route is no page: nothing in it may ever load or run. */
const routeHeaders = [
  ...securityHeaders,
  { key: 'content-security-policy', value: "default-src 'none'; sandbox; frame-ancestors 'none'" },
];

/** For files. Next.js answers with a page when a file does not exist. */
const fileHeaders = [
  ...securityHeaders,
  { key: 'content-security-policy', value: "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'" },
];

const nextConfig: NextConfig = {
  poweredByHeader: false,
  // Only server code names it. The functions of a deployment share nothing else when nothing is set; see lib/session-secret.ts.
  ...(process.env.VERCEL && { env: { BUILT_SESSION_SECRET: randomBytes(32).toString('base64url') } }),
  headers: async () => [
    { source: '/((?!api/).*)', headers: securityHeaders },
    ...['/_next/static/:path*', '/_next/image', '/icon.svg'].map((source) => ({ source, headers: fileHeaders })),
    { source: '/api/:route((?!artifacts/).*)', headers: routeHeaders },
  ],
  outputFileTracingIncludes: {
    // Read at run time by searchDocs and readDoc, which no bundler sees.
    '/api/chat': ['./node_modules/ai/docs/**'],
  },
};

export default nextConfig;
