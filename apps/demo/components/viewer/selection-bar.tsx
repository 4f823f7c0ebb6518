import { X } from 'lucide-react';
import { type Ref, useImperativeHandle, useState } from 'react';
import { artifactLabel } from '../artifact-link';
import { formatLineAddress, type LineRange, rangeLabel } from '../line-address';
import type { ArtifactSource } from './artifact-source';
import { type CopyForm, copiedLines, savedLines } from './copied-lines';

/** What keys do with the selected lines. */
export interface SelectionActions {
  copyLines(): void;
  copyLink(): void;
}

interface SelectionBarProps {
  ref: Ref<SelectionActions>;
  source: ArtifactSource;
  range: LineRange;
  onClear(): void;
}

/** What can be done with the selected lines. */
export function SelectionBar({ ref, source, range, onClear }: SelectionBarProps) {
  const [said, setSaid] = useState<{ range: string; words: string }>();
  const label = rangeLabel(range);

  async function tell(work: () => Promise<string>) {
    try {
      setSaid({ range: label, words: await work() });
    } catch (error) {
      setSaid({ range: label, words: error instanceof Error ? error.message : 'That did not work.' });
    }
  }

  function copy(form: CopyForm) {
    return tell(async () => {
      await writeClipboard(copiedLines(source, { range, form }));
      return 'Copied';
    });
  }

  function copyLink() {
    return tell(async () => {
      await writeClipboard(
        Promise.resolve(new URL(source.pageHref + formatLineAddress(range), window.location.href).href),
      );
      return 'Link copied';
    });
  }

  useImperativeHandle(ref, () => ({ copyLines: () => void copy('text'), copyLink: () => void copyLink() }));

  return (
    <div className="flex shrink-0 flex-wrap items-center gap-1.5 border-line border-t bg-card px-3 py-2">
      <p className="mr-1 text-muted text-sm tabular-nums">
        {range.from === range.to ? 'Line' : 'Lines'} {label}
      </p>
      <button type="button" className="quiet-button" title="Without colour codes" onClick={() => void copy('text')}>
        Copy
      </button>
      <button type="button" className="quiet-button" onClick={() => void copy('evidence')}>
        Copy as evidence
      </button>
      <button type="button" className="quiet-button" title="With colour codes" onClick={() => void copy('raw')}>
        Copy raw
      </button>
      <button type="button" className="quiet-button" onClick={() => void copyLink()}>
        Copy link
      </button>
      <button
        type="button"
        className="quiet-button"
        onClick={() =>
          void tell(async () => {
            save(await savedLines(source, range), `${artifactLabel(source.name)}-${label.replace('–', '-')}.txt`);
            return 'Saved';
          })
        }
      >
        Download lines
      </button>
      <button type="button" className="icon-button" aria-label="Clear the selection" onClick={onClear}>
        <X aria-hidden className="size-3.5" />
      </button>
      <p role="status" data-selection-status className="text-sm text-success">
        {said?.range === label && said.words}
      </p>
    </div>
  );
}

async function writeClipboard(text: Promise<string>): Promise<void> {
  try {
    // With a promise, and before anything is waited for: Safari lets a page write only while it handles a click or a key.
    if ('ClipboardItem' in window)
      await navigator.clipboard.write([new ClipboardItem({ 'text/plain': plainText(text) })]);
    else await navigator.clipboard.writeText(await text);
  } catch {
    // Where there is no text, why there is none is to be said.
    await text;
    throw new Error('The browser did not allow it.');
  }
}

async function plainText(text: Promise<string>): Promise<Blob> {
  return new Blob([await text], { type: 'text/plain' });
}

function save(content: Blob, name: string): void {
  const href = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  link.click();
  URL.revokeObjectURL(href);
}
