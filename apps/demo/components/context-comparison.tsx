import type { ReactNode } from 'react';
import { type CallRow, type ContextCost, charsPerToken } from './context-cost';
import { formatBytes, formatCount, formatTokens } from './format-size';
import { ScrollRegion } from './scroll-region';

/** What a chat costs with truncation, beside what it would cost without: the one side measured, the other computed. */
export function ContextComparison({ cost }: { cost: ContextCost }) {
  if (cost.requests === 0) {
    return <p className="mt-4 text-muted">No tool calls yet.</p>;
  }
  return (
    <div className="mt-4 flex flex-col gap-5">
      <Bar cost={cost} />
      <Sides cost={cost} />
      <Calls calls={cost.calls} />
      <HowWeCount cost={cost} />
    </div>
  );
}

function Bar({ cost: { window, withTruncation, without, isEstimated } }: { cost: ContextCost }) {
  const about = isEstimated ? 'about ' : '';
  const used = withTruncation.newest;
  const keptOut = Math.max(0, without.newest - used);
  const words = `${about}${formatTokens(used)} of ${formatTokens(window)} tokens used; ${about}${formatTokens(keptOut)} kept out`;
  const percent = (tokens: number) => `${Math.min(100, (100 * tokens) / window)}%`;
  return (
    <div>
      {/* biome-ignore lint/a11y/useSemanticElements: <meter> cannot show a second part. */}
      <div
        role="meter"
        aria-label="Context"
        aria-valuemin={0}
        aria-valuemax={window}
        aria-valuenow={Math.round(Math.min(used, window))}
        aria-valuetext={words}
        className="flex h-2.5 overflow-hidden rounded-full bg-raised"
      >
        <div className="min-w-1 bg-accent forced-colors:bg-[Highlight]" style={{ width: percent(used) }} />
        <div className="hatched" style={{ width: percent(keptOut) }} />
      </div>
      <p className="mt-2 text-muted text-sm">
        {sentence(words)}
        {keptOut >= 2 * window &&
          `, ${formatCount(Math.floor(keptOut / window))} times the window of ${formatTokens(window)}`}
        .
      </p>
    </div>
  );
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function Sides({ cost }: { cost: ContextCost }) {
  const { withTruncation, without, window, isEstimated, requests } = cost;
  const about = isEstimated ? '≈' : '';
  return (
    <div className="grid gap-3 sm:grid-cols-2">
      <Side
        title="Without ai-truncate"
        mark="calculated"
        verdict={
          without.newest > window && (
            <p className="mt-2 text-failure text-sm">Does not fit a window of {formatTokens(window)} tokens.</p>
          )
        }
      >
        <Figure label="Last request" value={`≈${formatTokens(without.newest)}`} />
        <Figure label={`All ${requests} requests`} value={`≈${formatTokens(without.total)}`} />
        <Figure label="Sub-agents" value="0" />
      </Side>
      <Side
        title="With ai-truncate"
        mark={isEstimated ? 'measured, ≈ 4 characters per token' : 'measured, counted by the provider'}
        verdict={<p className="mt-2 text-sm text-success">{savingOf(cost)}</p>}
      >
        <Figure label="Last request" value={`${about}${formatTokens(withTruncation.newest)}`} />
        <Figure
          label={`All ${requests} requests and sub-agents`}
          value={`${about}${formatTokens(withTruncation.total)}`}
        />
        <Figure label="Of these, sub-agents" value={`${about}${formatTokens(withTruncation.subAgents)}`} />
      </Side>
    </div>
  );
}

function savingOf({ withTruncation, without }: ContextCost): string {
  const saved = without.total - withTruncation.total;
  if (saved < 1) return 'Nothing saved: no output was large enough.';
  const times = without.total / withTruncation.total;
  return `≈${formatTokens(saved)} tokens saved${times >= 2 ? `, ${formatCount(Math.floor(times))} times fewer` : ''}.`;
}

interface SideProps {
  title: string;
  /** Whether it was run or computed. */
  mark: string;
  verdict: ReactNode;
  children: ReactNode;
}

function Side({ title, mark, verdict, children }: SideProps) {
  return (
    <section className="rounded-xl border border-line bg-sunken p-4">
      <h3 className="font-medium text-sm">{title}</h3>
      <p className="text-muted text-xs">{mark}</p>
      <dl className="mt-3 flex flex-col gap-1">{children}</dl>
      {verdict}
    </section>
  );
}

function Figure({ label, value }: { label: string; value: string }) {
  return (
    <div className="flex items-baseline justify-between gap-3 text-sm">
      <dt className="text-muted">{label}</dt>
      <dd className="font-medium tabular-nums">{value}</dd>
    </div>
  );
}

function Calls({ calls }: { calls: readonly CallRow[] }) {
  if (calls.length === 0) return null;
  return (
    <ScrollRegion label="Tool calls" className="rounded-xl border border-line">
      <table className="w-full border-collapse text-sm tabular-nums">
        <caption className="sr-only">Tokens of each call</caption>
        <thead className="bg-sunken text-muted">
          <tr className="[&>th]:px-3 [&>th]:py-2 [&>th]:text-right [&>th]:font-medium [&>th]:first:text-left">
            <th scope="col">Call</th>
            <th scope="col" className="max-sm:hidden">
              Output
            </th>
            <th scope="col">Whole</th>
            <th scope="col">Sent</th>
            <th scope="col">Sub-agent</th>
          </tr>
        </thead>
        <tbody>
          {calls.map((call) => (
            <tr
              key={call.toolCallId}
              className="border-line border-t [&>*]:px-3 [&>*]:py-2 [&>td]:whitespace-nowrap [&>td]:text-right"
            >
              <th scope="row" className="text-left font-mono font-normal text-xs">
                {call.toolName}
              </th>
              <td className="max-sm:hidden">{formatBytes(call.originalBytes)}</td>
              <td>≈{formatTokens(call.originalTokens)}</td>
              <td>≈{formatTokens(call.sentTokens)}</td>
              <td>{call.subAgentTokens > 0 ? formatTokens(call.subAgentTokens) : '—'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function HowWeCount({ cost: { isEstimated, isWindowKnown, window } }: { cost: ContextCost }) {
  return (
    <details className="text-muted text-sm">
      <summary className="inline-flex list-none hover:text-ink">
        <span className="underline decoration-line-strong underline-offset-4">How we count</span>
      </summary>
      <ul className="mt-2 flex list-disc flex-col gap-1 pl-5">
        <li>
          {isEstimated
            ? `Estimated at ${charsPerToken} characters per token, marked ≈.`
            : `The provider counted the requests. Single outputs are estimated at ${charsPerToken} characters per token.`}
        </li>
        <li>
          Without: every full output is sent again with each later request. This was not run; most providers would
          reject it.
        </li>
        <li>With: the sent tokens and all tokens of the sub-agents. They count against the savings.</li>
        <li>Prompt caches make repeated input cheaper on both sides. They are not counted.</li>
        {!isWindowKnown && <li>The context window is unknown. {formatTokens(window)} tokens are assumed.</li>}
      </ul>
    </details>
  );
}
