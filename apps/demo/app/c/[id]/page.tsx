import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { ChatPage } from '../../../components/chat-page';
import { loadChat } from '../../../lib/load-chat';

export const metadata: Metadata = { title: 'Chat' };

/** A chat that the server has, as it was left. */
export default async function Page({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const chat = await loadChat({ headers: await headers() }, id);
  if (chat === undefined) notFound();
  return <ChatPage id={id} storedMessages={chat.messages} isStillAnswering={chat.isAnswering} />;
}
