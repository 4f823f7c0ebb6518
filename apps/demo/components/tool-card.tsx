'use client';

import { isTruncatedOutput } from 'ai-truncate/ui';
import { Bot, ChevronDown, Wrench } from 'lucide-react';
import { memo, type ReactNode, useId, useRef, useState } from 'react';
import { type ApprovalAnswer, ApprovalRequest } from './approval-request';
import { formatBytes } from './format-size';
import { VisibleText } from './shown-text';
import { taskDataOf, taskSummary } from './task-result';
import { type ToolCallPart, toolNameOf } from './tool-call-part';
import { inputSummary } from './tool-input';
import { type ToolPhase, toolPhase } from './tool-phase';
import { outcomeDetailOf, ToolResult } from './tool-result';
import { ToolStatus } from './tool-status';

interface ToolCardProps {
  part: ToolCallPart;
  /** The answer that this call belongs to still arrives. */
  isAnswering: boolean;
  /** This call stands in the last message: a request for approval still counts. */
  isLast: boolean;
  onApproval: (answer: ApprovalAnswer) => void;
}

/** One call of a tool, whatever it is and wherever it stands. */
export const ToolCard = memo(function ToolCard({ part, isAnswering, isLast, onApproval }: ToolCardProps) {
  // What the visitor chose wins for ever: a card that was opened does not close itself when its tool ends.
  const [chosen, setChosen] = useState<boolean>();
  const header = useRef<HTMLButtonElement>(null);
  const bodyId = useId();
  const phase = toolPhase(part, { isAnswering, isLast });
  const name = toolNameOf(part);
  const task = name === 'task' ? taskDataOf(part.output) : undefined;
  const body = phase === 'asking' ? undefined : <ToolResult part={part} phase={phase} />;
  const isOpen = phase === 'asking' || (chosen ?? isOpenAtFirst(phase, part));

  return (
    <article
      aria-label={`Tool call ${name}`}
      className={`overflow-clip rounded-xl border bg-card ${phase === 'asking' ? 'border-warning' : 'border-line'}`}
    >
      <h2>
        <button
          ref={header}
          type="button"
          aria-expanded={isOpen}
          aria-controls={bodyId}
          // Not `disabled`: what is disabled cannot have the focus, which comes here when the question is answered.
          aria-disabled={phase === 'asking'}
          onClick={() => phase !== 'asking' && setChosen(!isOpen)}
          className="flex w-full flex-wrap items-center gap-x-3 gap-y-1 px-3.5 py-2.5 text-left -outline-offset-2 not-aria-disabled:hover:bg-sunken aria-disabled:cursor-default"
        >
          <span className="flex flex-auto items-center gap-2.5 sm:min-w-0 sm:flex-1">
            {task || name === 'task' ? (
              <Bot aria-hidden className="size-4 shrink-0 text-muted" />
            ) : (
              <Wrench aria-hidden className="size-4 shrink-0 text-muted" />
            )}
            <span className="shrink-0 font-medium font-mono text-sm">{task ? task.agent : name}</span>
            <span className="hidden min-w-0 truncate text-muted text-sm sm:block">
              <VisibleText text={inputSummary(task ? promptOf(part.input) : part.input)} />
            </span>
          </span>
          <span className="ml-auto flex shrink-0 items-center gap-3">
            <Size output={part.output} />
            <ToolStatus
              phase={phase}
              detail={task ? taskSummary(task, { isWorking: phase === 'working' }) : outcomeDetailOf(part)}
            />
            <ChevronDown
              aria-hidden
              className={`size-4 text-muted transition-transform ${isOpen ? 'rotate-180' : ''} ${phase === 'asking' ? 'invisible' : ''}`}
            />
          </span>
        </button>
      </h2>
      <div id={bodyId} hidden={!isOpen} className="border-line border-t p-3.5">
        {isOpen && phase === 'asking' && part.state === 'approval-requested' ? (
          <ApprovalRequest
            approvalId={part.approval.id}
            toolName={name}
            input={part.input}
            reason={part.approval.requestReason}
            onAnswer={(answer) => {
              onApproval(answer);
              // The buttons go away: without this the focus would fall back to the top of the page.
              header.current?.focus();
            }}
          />
        ) : (
          isOpen && body
        )}
      </div>
    </article>
  );
}, isSameCall);

function isOpenAtFirst(phase: ToolPhase, { output }: ToolCallPart): boolean {
  if (phase === 'working' || phase === 'failed') return true;
  return phase === 'done' && (isTruncatedOutput(output) || taskDataOf(output) !== undefined);
}

/** Of a delegation only what was asked: the agent stands before it. */
function promptOf(input: unknown): unknown {
  return typeof input === 'object' && input !== null && 'prompt' in input ? input.prompt : input;
}

function Size({ output }: { output: unknown }): ReactNode {
  if (!isTruncatedOutput(output)) return null;
  const { original_bytes, kept_bytes } = output.data.truncation;
  return (
    <span className="whitespace-nowrap text-muted text-sm tabular-nums">
      {formatBytes(original_bytes)} <span aria-hidden>→</span>
      <span className="sr-only">, of which the model received</span>{' '}
      <strong className="font-medium text-ink">{formatBytes(kept_bytes)}</strong>
    </span>
  );
}

/** With every word that arrives the whole message is copied; a card whose call stands where it stood is not drawn again. */
function isSameCall(before: ToolCardProps, after: ToolCardProps): boolean {
  const isProgress = after.part.state === 'output-available' && after.part.preliminary;
  return (
    !isProgress &&
    before.part.toolCallId === after.part.toolCallId &&
    before.part.state === after.part.state &&
    isPreliminary(before.part) === isPreliminary(after.part) &&
    before.isAnswering === after.isAnswering &&
    before.isLast === after.isLast &&
    before.onApproval === after.onApproval
  );
}

function isPreliminary(part: ToolCallPart): boolean {
  return part.state === 'output-available' && part.preliminary === true;
}
