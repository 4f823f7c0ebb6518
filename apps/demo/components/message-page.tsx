import type { ReactNode } from 'react';
import { PageHeader } from './page-header';

/** A page with nothing but a sentence and a way on. All pages carry its scripts, for the case that they fail: it has no buttons. */
export function MessagePage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex h-dvh flex-col">
      <PageHeader />
      <main className="m-auto max-w-md px-6 text-center">
        <h1 className="text-balance font-semibold text-2xl tracking-tight">{title}</h1>
        {children}
      </main>
    </div>
  );
}
