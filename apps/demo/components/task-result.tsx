import type { TaskData, TaskProgress } from '../agent/chat-message';
import { EvidenceList } from './evidence-list';
import { formatBytes, formatTokens } from './format-size';
import { ScrollRegion } from './scroll-region';
import { VisibleText } from './shown-text';
import { Warning } from './tool-status';

/** What a sub-agent is doing, or what it found. Its steps are a number: their outputs never reach the page. */
export function TaskResult({ data, isWorking }: { data: TaskData; isWorking: boolean }) {
  const { running, evidence, conclusion, truncated } = data;
  return (
    <div className="flex flex-col gap-3">
      {isWorking && running && <Progress running={running} />}
      {conclusion && (
        // Plain text, because Markdown leaves some words out and the model reads all of them.
        <ScrollRegion label="Conclusion" className="max-h-80 whitespace-pre-wrap break-words text-sm">
          <VisibleText text={beginningOf(conclusion)} />
        </ScrollRegion>
      )}
      {evidence.length > 0 && <EvidenceList evidence={evidence} />}
      {truncated && <Warning>The sub-agent used up its budget, so it may have missed something.</Warning>}
      {!isWorking && <Cost data={data} />}
    </div>
  );
}

/** A sub-agent of the application may say more than anybody reads in a card. */
const maxConclusionChars = 4000;

function beginningOf(conclusion: string): string {
  return conclusion.length > maxConclusionChars ? `${conclusion.slice(0, maxConclusionChars)} …` : conclusion;
}

/** How a sub-agent did, in the words of a card's header. */
export function taskSummary({ running, steps, evidence }: TaskData, { isWorking }: { isWorking: boolean }): string {
  if (isWorking) return running?.step === undefined ? 'Starting' : stepWords(running.step, running.max_steps);
  const findings = evidence.length === 1 ? '1 finding' : `${evidence.length} findings`;
  return steps === undefined ? findings : `${steps} ${steps === 1 ? 'step' : 'steps'}, ${findings}`;
}

function stepWords(step: number, maxSteps: number | undefined): string {
  return maxSteps === undefined ? `Step ${step}` : `Step ${step} of ${maxSteps}`;
}

/** What our own sub-agent does; one of the application may have other words, which are shown as they are. */
const phases: Partial<Record<string, string>> = {
  thinking: 'Thinking',
  reading: 'Reading',
  reporting: 'Writing its report',
  checking: 'Checking its quotes',
};

function Progress({ running: { phase, step, max_steps, tool, label } }: { running: TaskProgress }) {
  return (
    <div className="flex flex-col gap-2">
      <p className="truncate text-sm">
        {phases[phase] ?? phase}
        {tool && (
          <>
            {' · '}
            <span className="font-mono text-xs">{tool}</span>
          </>
        )}
        {label && (
          <span className="text-muted">
            {' '}
            <VisibleText text={label} />
          </span>
        )}
      </p>
      {step !== undefined && max_steps !== undefined && (
        <progress
          aria-label="Steps of the sub-agent"
          className="h-1 w-full appearance-none overflow-hidden rounded-full bg-raised accent-accent [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-raised [&::-webkit-progress-value]:bg-accent"
          value={step}
          max={max_steps}
        />
      )}
    </div>
  );
}

function Cost({ data: { bytes_read, usage } }: { data: TaskData }) {
  const words = [
    bytes_read !== undefined && `${formatBytes(bytes_read)} read by the sub-agent`,
    usage?.total_tokens !== undefined &&
      usage.total_tokens > 0 &&
      `${formatTokens(usage.total_tokens)} tokens of its own`,
    'none added to this chat',
  ].filter((word) => typeof word === 'string');
  return words.length > 1 && <p className="text-muted text-xs">{words.join(' · ')}</p>;
}

/** The data of a `task` call, where an output has that shape: a tool of an MCP server may be called `task` as well. */
export function taskDataOf(output: unknown): TaskData | undefined {
  if (typeof output !== 'object' || output === null || !('data' in output)) return undefined;
  const { data } = output;
  const isTask = typeof data === 'object' && data !== null && 'agent' in data && 'evidence' in data;
  return isTask && Array.isArray(data.evidence) ? (data as TaskData) : undefined;
}
