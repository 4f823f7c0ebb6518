import { connection } from 'next/server';
import { ChatPage } from '../components/chat-page';

/** A new chat: the landing page. */
export default async function Page() {
  // Each visit is a chat of its own.
  await connection();
  return <ChatPage id={crypto.randomUUID()} storedMessages={[]} />;
}
