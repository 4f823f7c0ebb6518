import { MessagePage } from '../../../components/message-page';

export default function NotFound() {
  return (
    <MessagePage title="This chat is not here any more">
      <p className="mt-3 text-pretty text-muted">It was deleted, its time is over, or the address is not complete.</p>
      <a href="/" className="strong-button mt-6">
        Start again
      </a>
    </MessagePage>
  );
}
