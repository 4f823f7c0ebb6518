interface PageOptions {
  /** React and the reloading of code evaluate text while one develops, and never else. */
  isDevelopment: boolean;
  /** Over plain HTTP, as on one's own machine, a page must not ask for anything over TLS. */
  isEncrypted: boolean;
}

/**
 * What a page may load and run: scripts with this word and what they load, files of this site, nothing from elsewhere. What a tool
 * gave can be shown on a page and can still neither run nor tell anybody.
 */
export function contentSecurityPolicy(nonce: string, { isDevelopment, isEncrypted }: PageOptions): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${isDevelopment ? " 'unsafe-eval'" : ''}`,
    // Widths and places that are only known at run time stand in attributes, for which there is no nonce.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    ...(isEncrypted ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}
