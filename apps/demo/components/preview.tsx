import type { TruncatedOutput } from 'ai-truncate';
import type { CSSProperties } from 'react';
import { numberDigits, previewRows } from './preview-rows';
import { ScrollRegion } from './scroll-region';

/**
 * What the model received of a large output, byte for byte: the text of this element is the preview. Line numbers are drawn
 * beside it, and gaps behind it, so that they are neither selected nor copied.
 */
export function Preview({ data, toolName }: { data: TruncatedOutput['data']; toolName: string }) {
  const rows = previewRows(data);
  const digits = numberDigits(rows);

  return (
    <ScrollRegion
      label={`What the model received of ${toolName}`}
      className="max-h-80 rounded-lg border border-line bg-sunken"
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
