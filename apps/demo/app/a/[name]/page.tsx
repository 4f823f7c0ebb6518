import { ArtifactNotFoundError, artifactName } from 'ai-truncate';
import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { PageActions } from '../../../components/page-actions';
import { PageHeader } from '../../../components/page-header';
import { ArtifactPage } from '../../../components/viewer/artifact-page';
import { linesPerPage } from '../../../components/viewer/line-cache';
import { maxShownCharacters } from '../../../components/viewer/text-segments';
import { artifactsOf } from '../../../lib/artifact-store';
import { chatKeyOf } from '../../../lib/chat-key';

export const metadata: Metadata = { title: 'Full output', robots: { index: false } };

interface PageProps {
  params: Promise<{ name: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** What stands on the page before a script has run: of each line as much as a row shows. */
const firstPage = { start: 1, count: linesPerPage, maxLineBytes: maxShownCharacters };

/** A full tool output. Which lines are shown stands in the hash, which no server sees. */
export default async function Page({ params, searchParams }: PageProps) {
  const { name } = await params;
  const { chat } = await searchParams;
  const scope = typeof chat === 'string' ? await chatKeyOf({ headers: await headers() }, chat) : undefined;
  if (typeof chat !== 'string' || scope === undefined) notFound();
  const found = await readArtifact(name, scope);
  if (found === undefined) notFound();
  const { info, firstLines } = found;
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

async function readArtifact(name: string, scope: string) {
  const artifacts = artifactsOf(scope);
  try {
    const info = await artifacts.info(name);
    return { info, firstLines: (await artifacts.readLines(name, firstPage)).lines };
  } catch (error) {
    // Whatever else fails is not "not found": a store that is down must not read as an output that is gone.
    if (ArtifactNotFoundError.isInstance(error)) return undefined;
    throw error;
  }
}
