import { AiTruncateError, artifactNameOf } from 'ai-truncate';
import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { MessagePage } from '../../../components/message-page';
import { PageActions } from '../../../components/page-actions';
import { PageHeader } from '../../../components/page-header';
import { ArtifactPage } from '../../../components/viewer/artifact-page';
import { isShownAsText } from '../../../components/viewer/artifact-source';
import { linesPerPage } from '../../../components/viewer/line-cache';
import { artifactsOf } from '../../../lib/artifact-store';
import { isChatId } from '../../../lib/chat-id';
import { toChatKey } from '../../../lib/chat-key';
import { RequestError } from '../../../lib/request-error';
import { visitorOf } from '../../../lib/visitor';
import { type Asker, visitorLimits } from '../../../lib/visitor-limits';

export const metadata: Metadata = { title: 'Full output', robots: { index: false } };

interface PageProps {
  params: Promise<{ name: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** What stands on the page before a script has run: like the first page that viewers ask for, but of no more than they need. */
const firstPage = { start: 1, count: linesPerPage, maxLineBytes: 4096, maxBytes: 256 * 1024 };

/** A full tool output. Which lines are shown stands in the hash, which no server sees. */
export default async function Page({ params, searchParams }: PageProps) {
  const { name } = await params;
  const { chat } = await searchParams;
  const request = { headers: await headers() };
  const visitor = await visitorOf(request);
  if (!visitor || !isChatId(chat)) notFound();
  const asker = { request, visitor, isNew: false };
  // Before the store is asked, because a name that does not exist costs as much work as one that does.
  const waitSeconds = secondsToWait(asker);
  if (waitSeconds > 0) return <TooMuchReading waitSeconds={waitSeconds} />;
  const artifacts = artifactsOf(toChatKey(visitor, chat));
  const info = await unlessMissing(artifacts.info(name));
  if (!info) notFound();
  const isText = isShownAsText(info);
  visitorLimits().tookReading(asker, { isSearch: false, bytes: isText ? firstPage.maxBytes : 0 });
  const firstLines = isText ? await unlessMissing(artifacts.readLines(name, firstPage)) : undefined;
  const summary = { ...info, name: artifactNameOf(info.path) ?? name, expiresAt: info.expiresAt.toISOString() };
  const { mediaType, bytes, lines, expiresAt } = summary;
  return (
    <div className="flex h-dvh flex-col">
      <PageHeader>
        <PageActions />
      </PageHeader>
      <main className="flex min-h-0 flex-1 flex-col">
        <ArtifactPage
          chat={chat}
          artifact={{ name: summary.name, mediaType, bytes, lines, expiresAt }}
          firstLines={firstLines}
        />
      </main>
    </div>
  );
}

/** Takes one reading from the sender; 0 when it may read now. */
function secondsToWait(asker: Asker): number {
  try {
    visitorLimits().requireReading(asker, { isSearch: false });
    return 0;
  } catch (error) {
    if (error instanceof RequestError) return error.retryAfterSeconds ?? 1;
    throw error;
  }
}

function TooMuchReading({ waitSeconds }: { waitSeconds: number }) {
  return (
    <MessagePage title="Too many outputs in a short time">
      <p className="mt-3 text-pretty text-muted">
        You opened many saved outputs. Reload this page in {waitSeconds === 1 ? 'a second' : `${waitSeconds} seconds`}.
      </p>
    </MessagePage>
  );
}

/** Whatever else fails is not "not found": a store that is down must not read as an output that is gone. */
async function unlessMissing<VALUE>(reading: Promise<VALUE>): Promise<VALUE | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (AiTruncateError.isInstance(error) && error.code === 'ARTIFACT_NOT_FOUND') return undefined;
    throw error;
  }
}
