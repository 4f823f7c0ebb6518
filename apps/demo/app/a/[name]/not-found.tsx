import { headers } from 'next/headers';
import { expiryWords } from '../../../components/artifact-expiry';
import { MessagePage } from '../../../components/message-page';
import { retentionDays } from '../../../lib/artifact-store';

export default async function NotFound() {
  // Next.js gives this page no parameters: the proxy tells which one was asked for.
  const name = (await headers()).get('x-path')?.slice('/a/'.length) ?? '';
  const expiry = expiryWords(name, { retentionDays: retentionDays(), now: Date.now() });
  return (
    <MessagePage title="This output is not here">
      <p className="mt-3 text-pretty text-muted">
        {expiry ?? 'It belongs to another chat, or was deleted.'} Its chat still shows the preview that the model
        received.
      </p>
      <a href="/" className="strong-button mt-6">
        Home
      </a>
    </MessagePage>
  );
}
