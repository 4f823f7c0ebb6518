import { ArtifactNotFoundError, artifactName } from 'ai-truncate';
import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
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
  const artifacts = artifactsOf(toChatKey(visitor, chat));
  const info = await unlessMissing(artifacts.info(name));
  if (!info) notFound();
  const firstLines =
    isShownAsText(info) && mayRead({ request, visitor, isNew: false })
      ? await unlessMissing(artifacts.readLines(name, firstPage))
      : undefined;
  const summary = { ...info, name: artifactName(info.path) ?? name, expiresAt: info.expiresAt.toISOString() };
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

/** Who reads too much has the viewer ask for the lines, which is told how long to wait. */
function mayRead(asker: Asker): boolean {
  try {
    visitorLimits().requireReading(asker, { isSearch: false });
  } catch (error) {
    if (error instanceof RequestError) return false;
    throw error;
  }
  visitorLimits().tookBytes(asker, firstPage.maxBytes);
  return true;
}

/** Whatever else fails is not "not found": a store that is down must not read as an output that is gone. */
async function unlessMissing<VALUE>(reading: Promise<VALUE>): Promise<VALUE | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (ArtifactNotFoundError.isInstance(error)) return undefined;
    throw error;
  }
}
