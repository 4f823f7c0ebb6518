'use client';

import { useState } from 'react';
import { DiffView } from './diff-view';
import { inputText } from './tool-input';

export interface ApprovalAnswer {
  id: string;
  approved: boolean;
}

interface ApprovalRequestProps {
  approvalId: string;
  toolName: string;
  input: unknown;
  reason?: string | undefined;
  onAnswer: (answer: ApprovalAnswer) => void;
}

/**
 * A call that waits for the visitor. It shows all of what would be done, and takes one answer: a second click on either
 * button changes nothing. `Deny` comes first, and neither has the focus, so that no key pressed for the composer allows.
 */
export function ApprovalRequest({ approvalId, toolName, input, reason, onAnswer }: ApprovalRequestProps) {
  const [isAnswered, setIsAnswered] = useState(false);

  function answer(approved: boolean) {
    setIsAnswered(true);
    onAnswer({ id: approvalId, approved });
  }

  const patch = patchOf(input);
  return (
    <div className="flex flex-col gap-3">
      <p className="text-sm">
        {reason ?? (
          <>
            The agent wants to run <span className="font-mono">{toolName}</span>. Nothing happens before you answer.
          </>
        )}
      </p>
      {patch === undefined ? (
        <pre className="max-h-60 overflow-auto whitespace-pre-wrap break-words rounded-lg border border-line bg-sunken px-3.5 py-2.5 font-mono text-xs">
          {inputText(input)}
        </pre>
      ) : (
        <DiffView diff={patch} label="What would be changed" />
      )}
      <div className="flex flex-wrap gap-2">
        <button type="button" className="quiet-button min-w-24" disabled={isAnswered} onClick={() => answer(false)}>
          Deny
        </button>
        <button type="button" className="strong-button min-w-24" disabled={isAnswered} onClick={() => answer(true)}>
          Allow
        </button>
      </div>
    </div>
  );
}

function patchOf(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || !('patch' in input)) return undefined;
  return typeof input.patch === 'string' ? input.patch : undefined;
}
