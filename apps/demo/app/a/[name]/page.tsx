import { ArtifactNotFoundError, type LineWindow } from 'ai-truncate';
import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { parseRange } from '../../../components/artifact-link';
import { ArtifactPage } from '../../../components/artifact-page';
import { artifactsOf } from '../../../lib/artifact-store';
import { isChatId } from '../../../lib/chat-id';
import { chatKeyOf } from '../../../lib/chat-key';

export const metadata: Metadata = { title: 'Full output', robots: { index: false } };

interface PageProps {
  params: Promise<{ name: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

const linesPerPage = 200;
/** Lines before the ones that a link leads to: a line means little alone. */
const linesBefore = 20;
/** What is shown of one line; one without an end would be the whole page. */
const maxLineBytes = 4096;

/** Lines of a full tool output: the first ones, or those that a link leads to. */
export default async function Page({ params, searchParams }: PageProps) {
  const { name } = await params;
  const query = await searchParams;
  const chat = single(query.chat);
  if (!isChatId(chat)) notFound();
  const marked = parseRange(single(query.lines));
  const from = parseRange(single(query.from))?.from ?? Math.max(1, (marked?.from ?? 1) - linesBefore);
  const scope = await chatKeyOf({ headers: await headers() }, chat);
  const found = scope === undefined ? undefined : await readWindow(name, { scope, start: from });
  if (found === undefined) notFound();
  return <ArtifactPage chat={chat} info={found.info} window={found.window} start={from} marked={marked} />;
}

async function readWindow(name: string, { scope, start }: { scope: string; start: number }) {
  const artifacts = artifactsOf(scope);
  try {
    const info = await artifacts.info(name);
    const window: LineWindow = await artifacts.readLines(name, { start, count: linesPerPage, maxLineBytes });
    return { info, window };
  } catch (error) {
    // Whatever else fails is not "not found": a store that is down must not read as an output that is gone.
    if (ArtifactNotFoundError.isInstance(error)) return undefined;
    throw error;
  }
}

function single(value: string | string[] | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
