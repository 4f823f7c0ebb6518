import { MessagePage } from '../../../components/message-page';

export default function NotFound() {
  return (
    <MessagePage title="This output is not here">
      <p className="mt-3 text-pretty text-muted">
        It belongs to another chat, or its time is over. What the model received of it still stands in the chat.
      </p>
      <a href="/" className="strong-button mt-6">
        To the chat
      </a>
    </MessagePage>
  );
}
