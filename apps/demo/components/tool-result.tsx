import { isToolResponse } from 'ai-truncate/protocol';
import { isTruncatedOutput } from 'ai-truncate/ui';
import type { ReactNode } from 'react';
import { EditResult, editDataOf } from './edit-result';
import { OutputText } from './output-text';
import { ScrollRegion } from './scroll-region';
import { VisibleText } from './shown-text';
import { TaskResult, taskDataOf } from './task-result';
import { type ToolCallPart, toolNameOf } from './tool-call-part';
import { inputText } from './tool-input';
import type { ToolPhase } from './tool-phase';
import { TruncatedResult } from './truncated-result';

/** What a call gave, by the shape of it: the same tool may answer with a value, an envelope, a preview or an error. */
export function ToolResult({ part, phase }: { part: ToolCallPart; phase: ToolPhase }) {
  return (
    <div className="flex flex-col gap-3">
      <Outcome part={part} phase={phase} />
      <details className="group text-sm">
        <summary className="inline-flex list-none items-center text-muted hover:text-ink">
          <span className="underline decoration-line-strong underline-offset-4">Arguments</span>
        </summary>
        <pre className="mt-2 max-h-60 overflow-auto whitespace-pre-wrap break-words rounded-lg border border-line bg-sunken px-3.5 py-2.5 font-mono text-xs">
          <VisibleText text={inputText(part.input) || 'Loading…'} />
        </pre>
      </details>
    </div>
  );
}

function Outcome({ part, phase }: { part: ToolCallPart; phase: ToolPhase }): ReactNode {
  if (part.state === 'output-error') return <Failure text={part.errorText} />;
  if (part.state === 'output-available') {
    return <Output output={part.output} toolName={toolNameOf(part)} isWorking={phase === 'working'} />;
  }
  if (phase === 'denied') {
    const reason = 'approval' in part ? part.approval?.reason : undefined;
    return <p className="text-muted text-sm">{reason ?? 'Not run. The agent knows.'}</p>;
  }
  if (phase === 'undecided') {
    return <p className="text-muted text-sm">You moved on without deciding. Nothing was run.</p>;
  }
  if (phase === 'stopped') return <p className="text-muted text-sm">Stopped before there was an output.</p>;
  return <p className="text-muted text-sm">No output yet.</p>;
}

function Output({ output, toolName, isWorking }: { output: unknown; toolName: string; isWorking: boolean }): ReactNode {
  if (isTruncatedOutput(output)) return <TruncatedResult output={output} toolName={toolName} />;
  const label = `Output of ${toolName}`;
  if (typeof output === 'string') {
    if (output === '') return <p className="text-muted text-sm">This tool returned nothing.</p>;
    return <OutputText text={output} label={label} />;
  }
  const task = toolName === 'task' ? taskDataOf(output) : undefined;
  if (task) return <TaskResult data={task} isWorking={isWorking} />;
  if (!isToolResponse(output)) return <OutputText text={jsonText(output)} label={label} />;

  const edit = editDataOf(output);
  return (
    <>
      {output.status === 'error' ? (
        <Failure text={output.text} />
      ) : (
        <p className="break-words text-sm">
          <VisibleText text={output.text} />
        </p>
      )}
      {edit && <EditResult data={edit} />}
      {!edit && Object.keys(output.data).length > 0 && <OutputText text={jsonText(output.data)} label={label} />}
    </>
  );
}

function Failure({ text }: { text: string }) {
  return (
    <ScrollRegion label="Error" className="max-h-60 rounded-lg bg-failure-soft px-3.5 py-2.5">
      <pre className="whitespace-pre-wrap break-words font-mono text-failure text-xs">
        <VisibleText text={text.slice(0, maxErrorChars)} />
      </pre>
    </ScrollRegion>
  );
}

const maxErrorChars = 20_000;

function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? 'nothing';
}

/** What the header of a card says beside "Done" or "Failed": the code of a failure, or that nothing was changed yet. */
export function outcomeDetailOf({ state, output }: ToolCallPart): string | undefined {
  if (state !== 'output-available' || isTruncatedOutput(output) || !isToolResponse(output)) return undefined;
  if (output.status === 'error') return output.error?.code;
  return editDataOf(output)?.applied === false ? 'dry run' : undefined;
}
