import { isTruncatedOutput } from 'ai-truncate';
import type { ChatMessage } from '../agent/chat-agent';

type ReadServerLogsPart = Extract<ChatMessage['parts'][number], { type: 'tool-readServerLogs' }>;

/** One call of `readServerLogs`: how much it read, and which lines of it the model received. */
export function ToolCall({ part }: { part: ReadServerLogsPart }) {
  return (
    <section aria-label="Tool call" className="overflow-hidden rounded-xl border border-line bg-card text-sm">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 px-4 py-3">
        <span className="font-medium font-mono">readServerLogs</span>
        <Outcome part={part} />
      </p>
      {part.state === 'output-available' && (
        <details className="border-line border-t">
          <summary className="cursor-pointer px-4 py-3 text-muted hover:text-ink">
            The lines that the model received
          </summary>
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
          <pre tabIndex={0} className="max-h-80 overflow-auto border-line border-t p-4 font-mono text-xs leading-5">
            {isTruncatedOutput(part.output) ? part.output.data.preview : part.output}
          </pre>
        </details>
      )}
    </section>
  );
}

function Outcome({ part }: { part: ReadServerLogsPart }) {
  if (part.state === 'output-error') {
    return <span className="text-failure">Failed: {part.errorText}</span>;
  }
  if (part.state !== 'output-available') {
    return <span className="text-muted">Reading…</span>;
  }
  if (!isTruncatedOutput(part.output)) {
    return <span className="text-muted">All of it</span>;
  }
  const { truncation } = part.output.data;
  return (
    <span className="text-muted">
      {formatSize(truncation.original_lines, truncation.original_bytes)} →{' '}
      <strong className="font-medium text-ink">{formatSize(truncation.kept_lines, truncation.kept_bytes)}</strong>
    </span>
  );
}

function formatSize(lines: number, bytes: number): string {
  const size = bytes < 1024 * 1024 ? `${Math.round(bytes / 1024)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`;
  return `${lines.toLocaleString('en')} lines, ${size}`;
}
