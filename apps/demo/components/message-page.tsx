import type { ReactNode } from 'react';
import { ChatHeader } from './chat-header';

/** A page with nothing but a sentence and a way on. */
export function MessagePage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="flex h-dvh flex-col">
      <ChatHeader />
      <main className="m-auto max-w-md px-6 text-center">
        <h1 className="text-balance font-semibold text-2xl tracking-tight">{title}</h1>
        {children}
      </main>
    </div>
  );
}
