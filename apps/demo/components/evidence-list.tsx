import { BadgeCheck, CircleHelp } from 'lucide-react';
import type { TaskEvidence } from '../agent/chat-message';
import { artifactHref, artifactLabel } from './artifact-link';
import { useChatId } from './chat-id';
import { rangeLabel } from './line-address';
import { VisibleText } from './shown-text';

/** More than this is no evidence any more, it is a list; the card says how many are left out. */
const maxShown = 12;

/** What a sub-agent found: each piece links to its lines, says whether they were checked, and quotes them. */
export function EvidenceList({ evidence }: { evidence: readonly TaskEvidence[] }) {
  return (
    <>
      <ul aria-label="Evidence" className="flex flex-col gap-2">
        {evidence.slice(0, maxShown).map((piece) => (
          <li key={`${piece.path}:${piece.start_line}-${piece.end_line}`} className="min-w-0 animate-enter">
            <Evidence piece={piece} />
          </li>
        ))}
      </ul>
      {evidence.length > maxShown && (
        <p className="text-muted text-sm">{evidence.length - maxShown} more pieces of evidence are not shown here.</p>
      )}
    </>
  );
}

function Evidence({ piece: { path, start_line, end_line, quote, verified } }: { piece: TaskEvidence }) {
  const chat = useChatId();
  const lines = { from: start_line, to: end_line };
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-sunken">
      <p className="flex flex-wrap items-center justify-between gap-x-3 gap-y-0.5 px-3 py-1.5 text-xs">
        <a
          className="break-all font-medium font-mono text-accent underline-offset-2 hover:underline"
          href={artifactHref(path, { chat, lines: { ...lines, quote } })}
        >
          {artifactLabel(path)}:{rangeLabel(lines)}
        </a>
        {verified ? (
          <span className="inline-flex items-center gap-1 text-success">
            <BadgeCheck aria-hidden className="size-3.5" /> Verified quote
          </span>
        ) : (
          <span className="inline-flex items-center gap-1 text-warning">
            <CircleHelp aria-hidden className="size-3.5" /> Quote not found
          </span>
        )}
      </p>
      <blockquote className="border-line border-t px-3 py-2">
        <p className="line-clamp-4 whitespace-pre-wrap break-words font-mono text-2xs">
          <VisibleText text={quote.slice(0, 2000)} />
        </p>
      </blockquote>
    </div>
  );
}
