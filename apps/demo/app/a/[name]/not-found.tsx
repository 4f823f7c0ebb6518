import { MessagePage } from '../../../components/message-page';
import { ArtifactNotHere } from '../../../components/viewer/artifact-not-here';
import { retentionDays } from '../../../lib/artifact-store';

export default function NotFound() {
  return (
    <MessagePage title="This output is not here">
      <p className="mt-3 text-pretty text-muted">
        <ArtifactNotHere retentionDays={retentionDays()} /> What the model received of it still stands in the chat.
      </p>
      <a href="/" className="strong-button mt-6">
        To the chat
      </a>
    </MessagePage>
  );
}
