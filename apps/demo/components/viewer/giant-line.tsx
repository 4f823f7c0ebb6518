import type { ArtifactCharsAnswer } from 'ai-truncate/http';
import { useEffect, useMemo, useRef, useState } from 'react';
import { formatCount } from '../format-size';
import { ScrollRegion } from '../scroll-region';
import { ShownText } from '../shown-text';
import { textSegments } from '../text-segments';
import { type ArtifactSource, charactersPerWindow } from './artifact-source';
import { ViewerDialog } from './viewer-dialog';

interface Place {
  line: number;
  start: number;
  /** Where it is in bytes, when an answer before has said so: otherwise the server reads the line up to there. */
  at?: string | undefined;
}

interface GiantLineProps {
  source: ArtifactSource;
  place: Place | undefined;
  onClose(): void;
}

/** A line that is too long for a row, window by window, wrapped. */
export function GiantLine({ source, place, onClose }: GiantLineProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [current, setCurrent] = useState<Place>();
  const [answer, setAnswer] = useState<ArtifactCharsAnswer>();
  const [failure, setFailure] = useState<string>();

  useEffect(() => {
    setCurrent(place);
    setAnswer(undefined);
    if (place) dialog.current?.showModal();
    else dialog.current?.close();
  }, [place]);

  useEffect(() => {
    if (!current) return;
    const controller = new AbortController();
    const { line, start, at } = current;
    source.characters({ line, start, signal: controller.signal, ...(at && { at }) }).then(
      (found) => {
        setAnswer(found);
        setFailure(undefined);
      },
      (error: Error) => !controller.signal.aborted && setFailure(error.message),
    );
    return () => controller.abort();
  }, [source, current]);

  const segments = useMemo(() => textSegments(answer?.text ?? ''), [answer]);
  if (!place) return null;
  const end = answer && answer.start + answer.text.length - 1;
  const goTo = (start: number, at?: string) => setCurrent({ line: place.line, start: Math.max(1, start), at });

  function retry() {
    setFailure(undefined);
    // Another object, so that it is asked for once more.
    setCurrent(current && { ...current });
  }

  return (
    <ViewerDialog ref={dialog} title={`Line ${formatCount(place.line)}`} onClose={onClose}>
      <form
        className="flex flex-wrap items-center gap-1.5"
        onSubmit={(event) => {
          event.preventDefault();
          const start = Number(new FormData(event.currentTarget).get('character'));
          if (Number.isSafeInteger(start) && start >= 1) goTo(start);
        }}
      >
        <button
          type="button"
          className="quiet-button"
          disabled={!answer || answer.start <= 1}
          onClick={() => answer && goTo(answer.start - charactersPerWindow)}
        >
          Earlier
        </button>
        <button
          type="button"
          className="quiet-button"
          disabled={!answer || answer.isEnd}
          onClick={() => answer && end !== undefined && goTo(end + 1, answer.next)}
        >
          Later
        </button>
        <input
          name="character"
          aria-label="Go to character"
          placeholder="Character"
          inputMode="numeric"
          autoComplete="off"
          maxLength={12}
          className="viewer-field w-32"
        />
        <p role="status" className="text-muted text-sm">
          {failure ?? (answer && end !== undefined ? placeWords(answer, end) : 'Loading…')}
        </p>
        {failure !== undefined && (
          <button type="button" className="quiet-button" onClick={retry}>
            Retry
          </button>
        )}
      </form>
      <ScrollRegion label="Characters" className="min-h-24 rounded-lg border border-line bg-sunken p-3">
        <p data-characters className="whitespace-pre-wrap break-all font-mono text-xs leading-5">
          <ShownText segments={segments} />
        </p>
      </ScrollRegion>
    </ViewerDialog>
  );
}

function placeWords({ start, text, isEnd }: ArtifactCharsAnswer, end: number): string {
  if (text === '') return `There is no character ${formatCount(start)}`;
  return `Characters ${formatCount(start)} to ${formatCount(end)}${isEnd ? ', the end' : ''}`;
}
