import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { ChatPage } from '../../../components/chat-page';
import { loadChat } from '../../../lib/chat-log';
import { chatTurns } from '../../../lib/chat-turns';

export const metadata: Metadata = { title: 'Chat' };

/** A chat that the server has, as it was left. */
export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const isAnswering = chatTurns().isAnswering(id);
  const messages = await loadChat(id);
  if (messages === undefined) notFound();
  return <ChatPage id={id} storedMessages={messages} isStillAnswering={isAnswering} />;
}
