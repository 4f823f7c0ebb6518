import type { NextConfig } from 'next';

const nextConfig: NextConfig = {
  poweredByHeader: false,
  outputFileTracingIncludes: {
    // Read at run time by searchDocs and readDoc, which no bundler sees.
    '/api/chat': ['./node_modules/ai/docs/**'],
  },
};

export default nextConfig;
