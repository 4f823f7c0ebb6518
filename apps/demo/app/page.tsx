import { connection } from 'next/server';
import { chatModel } from '../agent/chat-agent';
import { Chat } from './chat';

export default async function Page() {
  // Asked on each request: the key that decides belongs to the running server, not to the build.
  await connection();
  const { label } = chatModel();

  return (
    <div className="mx-auto flex min-h-dvh max-w-3xl flex-col px-4">
      <header className="flex flex-wrap items-center justify-between gap-2 border-line border-b py-4">
        <span className="font-mono font-semibold">ai-truncate</span>
        <span className="rounded-full border border-line bg-card px-3 py-1 text-muted text-sm">{label}</span>
      </header>
      <Chat />
    </div>
  );
}
