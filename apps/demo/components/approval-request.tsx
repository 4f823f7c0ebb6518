'use client';

import { useState } from 'react';
import { DiffView } from './diff-view';
import { VisibleText } from './shown-text';
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
          <VisibleText text={inputText(input)} />
        </pre>
      ) : (
        <>
          <Members members={patch.others} />
          <DiffView diff={patch.text} path={patch.path} label="What would be changed" />
        </>
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

/** The parameters of the call other than its patch, with the file first. Shown at every width. */
function Members({ members }: { members: readonly (readonly [name: string, value: unknown])[] }) {
  return (
    <dl className="flex flex-col gap-1 text-sm">
      {members.map(([name, value]) => (
        <div key={name} className="flex gap-2">
          <dt className="shrink-0 text-muted">{name === 'path' ? 'File' : <VisibleText text={name} />}</dt>
          <dd className="min-w-0 whitespace-pre-wrap break-all font-mono text-xs leading-5">
            <VisibleText text={inputText(value)} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface Patch {
  text: string;
  path: string | undefined;
  others: (readonly [name: string, value: unknown])[];
}

function patchOf(input: unknown): Patch | undefined {
  if (typeof input !== 'object' || input === null) return undefined;
  const { patch, ...others } = input as Record<string, unknown>;
  if (typeof patch !== 'string') return undefined;
  const { path, ...rest } = others;
  return {
    text: patch,
    path: typeof path === 'string' ? path : undefined,
    others: 'path' in others ? [['path', path], ...Object.entries(rest)] : Object.entries(rest),
  };
}
