import { MessagePage } from '../components/message-page';

export default function NotFound() {
  return (
    <MessagePage title="There is no such page">
      <p className="mt-3 text-pretty text-muted">The address leads nowhere.</p>
      <a href="/" className="strong-button mt-6">
        To the start
      </a>
    </MessagePage>
  );
}
