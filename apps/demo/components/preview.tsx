'use client';

import type { TruncatedOutput } from 'ai-truncate/ui';
import { type CSSProperties, useLayoutEffect, useRef } from 'react';
import { numberDigits, previewRows } from './preview-rows';
import { ScrollRegion } from './scroll-region';

/**
 * What the model received of a large output, byte for byte: the text of this element is the preview. Line numbers are drawn
 * beside it, and gaps behind it, so that they are neither selected nor copied.
 */
export function Preview({ data, toolName }: { data: TruncatedOutput['data']; toolName: string }) {
  const rows = previewRows(data);
  const digits = numberDigits(rows);
  const region = useRef<HTMLDivElement>(null);

  // The first lines of a log are the least of it: what is shown first is where something is missing, with what was found there.
  useLayoutEffect(() => {
    const gap = region.current?.querySelector<HTMLElement>('[data-kind="gap"]');
    if (region.current && gap) region.current.scrollTop = gap.offsetTop - region.current.clientHeight / 4;
  }, []);

  return (
    <ScrollRegion
      ref={region}
      label={`What the model received of ${toolName}`}
      className="relative max-h-80 rounded-lg border border-line bg-sunken"
    >
      <pre
        data-preview
        className="w-max min-w-full py-2 font-mono text-xs leading-5"
        style={{ '--digits': digits } as CSSProperties}
      >
        {rows.map(({ text, kind, number }, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a preview never changes.
            key={index}
            data-kind={kind}
            data-line={number ?? (digits > 0 ? '⋯' : undefined)}
            className={`block pr-4 ${digits > 0 ? 'numbered-line' : 'pl-3.5'} ${rowColours[kind]}`}
          >
            {index < rows.length - 1 ? `${text}\n` : text}
          </span>
        ))}
      </pre>
    </ScrollRegion>
  );
}

const rowColours = {
  line: '',
  gap: 'gap-line',
  salient: 'bg-warning-soft text-warning',
} as const;
