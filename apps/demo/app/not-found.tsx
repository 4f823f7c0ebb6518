import { MessagePage } from '../components/message-page';

export default function NotFound() {
  return (
    <MessagePage title="Page not found">
      <p className="mt-3 text-pretty text-muted">Check the address, or start a new chat.</p>
      <a href="/" className="strong-button mt-6">
        Home
      </a>
    </MessagePage>
  );
}
