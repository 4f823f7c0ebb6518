import { isToolResponse } from 'ai-truncate/protocol';
import { isTruncatedOutput } from 'ai-truncate/ui';
import type { ToolCallPart } from './tool-call-part';

/** Where a call stands, in the words of the page. The states of the SDK and what the chat is doing decide it together. */
export type ToolPhase =
  | 'preparing'
  | 'running'
  | 'working'
  | 'asking'
  | 'allowed'
  | 'denied'
  | 'undecided'
  | 'done'
  | 'failed'
  | 'stopped';

/** Where the message of a call stands in the chat. */
export interface MessagePlace {
  /** The answer that the call belongs to still arrives. Otherwise what has no output will get none. */
  isAnswering: boolean;
  /** Nothing follows the message. A request for approval in an older one is over: the server takes no decision about it. */
  isLast: boolean;
}

/** Where this call stands. */
export function toolPhase(part: ToolCallPart, { isAnswering, isLast }: MessagePlace): ToolPhase {
  switch (part.state) {
    case 'input-streaming':
      return isAnswering ? 'preparing' : 'stopped';
    case 'input-available':
      return isAnswering ? 'running' : 'stopped';
    case 'approval-requested':
      if (part.approval.isAutomatic) return 'running';
      return isLast ? 'asking' : 'undecided';
    case 'approval-responded':
      if (!part.approval.approved) return 'denied';
      return isAnswering ? 'allowed' : 'stopped';
    case 'output-available':
      if (part.preliminary) return isAnswering ? 'working' : 'stopped';
      return isFailure(part.output) ? 'failed' : 'done';
    case 'output-error':
      return 'failed';
    case 'output-denied':
      return 'denied';
  }
}

/** A tool that says in its answer that it failed. */
function isFailure(output: unknown): boolean {
  return (isTruncatedOutput(output) || isToolResponse(output)) && output.status === 'error';
}
