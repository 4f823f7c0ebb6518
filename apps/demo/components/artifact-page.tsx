import type { ArtifactInfo, ArtifactLine, LineWindow } from 'ai-truncate';
import { ArrowLeft, ArrowRight, Download } from 'lucide-react';
import type { CSSProperties } from 'react';
import { downloadHref, type LineRange, rangeLabel } from './artifact-link';
import { ChatHeader } from './chat-header';
import { formatBytes, formatCount } from './format-size';
import { plainText } from './plain-text';
import { ScrollRegion } from './scroll-region';

interface ArtifactPageProps {
  chat: string;
  info: ArtifactInfo;
  window: LineWindow;
  start: number;
  marked?: LineRange | undefined;
}

/** A window of a full output, with true line numbers, a way to the next one, and a download. Works without scripts. */
export function ArtifactPage({
  chat,
  info,
  window: { lines, totalLines, nextLine },
  start,
  marked,
}: ArtifactPageProps) {
  const last = lines.at(-1)?.number ?? start;
  const pageHref = (from: number) => `?${new URLSearchParams({ chat, from: String(from) })}`;
  return (
    <div className="flex h-dvh flex-col">
      <ChatHeader />
      <main className="flex min-h-0 flex-1 flex-col">
        <div className="flex flex-wrap items-center justify-between gap-3 border-line border-b px-3 py-3 sm:px-5">
          <div className="min-w-0">
            <h1 className="break-all font-medium font-mono text-sm">{info.name}</h1>
            <p className="text-muted text-sm">
              {formatBytes(info.bytes)} · {formatCount(totalLines)} lines · {info.mediaType}
              {lines.length > 0 && ` · showing ${formatCount(start)} to ${formatCount(last)}`}
              {marked && ` · lines ${rangeLabel(marked)} marked`}
            </p>
          </div>
          <div className="flex flex-wrap gap-2">
            <a className="quiet-button" href={`/c/${encodeURIComponent(chat)}`}>
              Back to the chat
            </a>
            <a className="quiet-button" href={downloadHref(info.path, { chat })} download>
              <Download aria-hidden className="size-3.5" />
              Download {formatBytes(info.bytes)}
            </a>
          </div>
        </div>
        <ScrollRegion label="Lines" className="min-h-0 flex-1 bg-sunken">
          {lines.length === 0 ? (
            <p className="p-6 text-muted">
              {totalLines === 0 ? 'This tool returned nothing.' : `There is no line ${formatCount(start)}.`}
            </p>
          ) : (
            <pre
              className="w-max min-w-full py-2 font-mono text-xs leading-6"
              style={{ '--digits': String(last).length } as CSSProperties}
            >
              {lines.map((line) => (
                <Line key={line.number} line={line} isMarked={marked !== undefined && isWithin(line.number, marked)} />
              ))}
            </pre>
          )}
        </ScrollRegion>
        <nav
          aria-label="Pages"
          className="flex items-center justify-between gap-2 border-line border-t px-3 py-2.5 sm:px-5"
        >
          {start > 1 ? (
            <a className="quiet-button" href={pageHref(Math.max(1, start - 200))}>
              <ArrowLeft aria-hidden className="size-3.5" /> Earlier lines
            </a>
          ) : (
            <span />
          )}
          {nextLine !== undefined && (
            <a className="quiet-button" href={pageHref(nextLine)}>
              Later lines <ArrowRight aria-hidden className="size-3.5" />
            </a>
          )}
        </nav>
      </main>
    </div>
  );
}

function Line({ line: { number, text, bytes, shownBytes }, isMarked }: { line: ArtifactLine; isMarked: boolean }) {
  return (
    <span
      id={`L${number}`}
      data-line={number}
      className={`numbered-line block scroll-mt-24 pr-4 ${isMarked ? 'marked-line' : ''}`}
    >
      {plainText(text)}
      {shownBytes < bytes && <span className="text-muted"> … and {formatBytes(bytes - shownBytes)} more</span>}
      {'\n'}
    </span>
  );
}

function isWithin(line: number, { from, to }: LineRange): boolean {
  return line >= from && line <= to;
}
