import { type NextRequest, NextResponse } from 'next/server';
import { contentSecurityPolicy } from './lib/content-security-policy';

/** Gives each page a policy of its own: only scripts run that carry the word of this answer, which nobody can know before. */
export function proxy(request: NextRequest): NextResponse {
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
  headers.set('x-path', request.nextUrl.pathname);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  return response;
}

/** Pages. Answers of routes have policies of their own, and files none. */
export const config = { matcher: '/((?!api/|_next/static/|_next/image|icon.svg).*)' };
