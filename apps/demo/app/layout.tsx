import type { Metadata, Viewport } from 'next';
import { headers } from 'next/headers';
import type { ReactNode } from 'react';
import { themeScript } from '../components/theme-script';
import { mono, sans } from './fonts';
import './globals.css';

export const metadata: Metadata = {
  title: { default: 'ai-truncate: huge tool outputs, small context, nothing lost', template: '%s · ai-truncate' },
  description:
    'Wrap the tools of an AI SDK agent once: the model reads a short preview, you keep every byte, and a sub-agent finds the line that matters.',
};

export const viewport: Viewport = { colorScheme: 'light dark', viewportFit: 'cover' };

export default async function Layout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get('x-nonce') ?? undefined;
  return (
    // The script below writes the visitor's theme into this element before React sees it.
    <html lang="en" className={`${sans.variable} ${mono.variable}`} suppressHydrationWarning>
      <head>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: a constant of our own, and a file would arrive too late. */}
        <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: themeScript }} />
      </head>
      <body>{children}</body>
    </html>
  );
}
