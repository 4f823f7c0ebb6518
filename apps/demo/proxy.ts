import { type NextRequest, NextResponse } from 'next/server';
import { contentSecurityPolicy } from './lib/content-security-policy';
import { RequestError, toErrorResponse } from './lib/request-error';

/** Gives each page a policy of its own: only scripts run that carry the word of this answer, which nobody can know before. */
export function proxy(request: NextRequest): Response {
  const { pathname } = request.nextUrl;
  // Next.js would answer with status 500.
  if (!isDecodable(pathname)) return toErrorResponse(new RequestError('bad_request', 'This address is not valid.'));
  if (pathname.startsWith('/api/')) return NextResponse.next();
  const nonce = crypto.randomUUID();
  const policy = contentSecurityPolicy(nonce, {
    isDevelopment: process.env.NODE_ENV === 'development',
    isEncrypted: request.headers.get('x-forwarded-proto') === 'https',
  });
  const headers = new Headers(request.headers);
  // Next.js reads the word out of the policy for its own scripts; the layout, for the one of the theme.
  headers.set('content-security-policy', policy);
  headers.set('x-nonce', nonce);
  // For the page of what is not there.
  headers.set('x-path', pathname);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  return response;
}

function isDecodable(pathname: string): boolean {
  try {
    decodeURIComponent(pathname);
    return true;
  } catch {
    return false;
  }
}

/** Pages, including those that do not exist, and addresses of routes that may not be decodable. Headers of routes and files: next.config.ts. */
export const config = { matcher: ['/((?!api/|_next/static/|_next/image$|icon\\.svg$).*)', '/api/(.*%.*)'] };
