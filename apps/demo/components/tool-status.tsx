import { Ban, Check, CircleAlert, CircleHelp, CircleX, LoaderCircle, Square } from 'lucide-react';
import type { ReactNode } from 'react';
import { Elapsed } from './elapsed';
import type { ToolPhase } from './tool-phase';

/** Where a call stands, as a word with a mark: neither colour nor movement is all that tells it. */
export function ToolStatus({ phase, detail }: { phase: ToolPhase; detail?: string | undefined }) {
  const { words, icon, colour, isBusy } = looks[phase];
  return (
    <span className={`inline-flex shrink-0 items-center gap-1.5 whitespace-nowrap text-sm ${colour}`}>
      {icon}
      <span>
        {words}
        {detail && ` · ${detail}`}
        {isBusy && <Elapsed />}
      </span>
    </span>
  );
}

interface Look {
  words: string;
  icon: ReactNode;
  colour: string;
  isBusy?: true;
}

const spinner = <LoaderCircle aria-hidden className="size-3.5 animate-spin" />;

const looks: Record<ToolPhase, Look> = {
  preparing: { words: 'Preparing', icon: spinner, colour: 'text-muted' },
  running: { words: 'Running', icon: spinner, colour: 'text-muted', isBusy: true },
  working: { words: 'Working', icon: spinner, colour: 'text-muted', isBusy: true },
  asking: {
    words: 'Needs your approval',
    icon: <CircleHelp aria-hidden className="size-3.5" />,
    colour: 'text-warning',
  },
  allowed: { words: 'Allowed, running', icon: spinner, colour: 'text-muted', isBusy: true },
  denied: { words: 'You denied this', icon: <Ban aria-hidden className="size-3.5" />, colour: 'text-muted' },
  undecided: { words: 'Not decided', icon: <Ban aria-hidden className="size-3.5" />, colour: 'text-muted' },
  done: { words: 'Done', icon: <Check aria-hidden className="size-3.5" />, colour: 'text-success' },
  failed: { words: 'Failed', icon: <CircleX aria-hidden className="size-3.5" />, colour: 'text-failure' },
  stopped: { words: 'Stopped', icon: <Square aria-hidden className="size-3" />, colour: 'text-muted' },
};

/** A sentence that must not be missed, inside of a card. */
export function Warning({ children }: { children: ReactNode }) {
  return (
    <p className="flex items-start gap-2 rounded-lg bg-warning-soft px-3 py-2 text-sm text-warning">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span>{children}</span>
    </p>
  );
}
