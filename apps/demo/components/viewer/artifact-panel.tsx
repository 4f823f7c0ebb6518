import { Maximize2, X } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { formatLineAddress, type LineAddress } from '../line-address';
import type { ArtifactFailure } from './artifact-failure';
import { type ArtifactSummary, artifactSource } from './artifact-source';
import { ArtifactViewer } from './artifact-viewer';
import type { PanelAddress } from './panel-address';

export interface ArtifactPanelProps {
  chat: string;
  address: PanelAddress;
  onAddress(address: PanelAddress): void;
  onClose(): void;
}

/** The viewer beside a chat. */
export default function ArtifactPanel({ chat, address: { name, lines }, onAddress, onClose }: ArtifactPanelProps) {
  const source = useMemo(() => artifactSource({ name, chat }), [name, chat]);
  const [artifact, setArtifact] = useState<ArtifactSummary>();
  const [failure, setFailure] = useState<ArtifactFailure>();
  const [attempt, setAttempt] = useState(0);
  const select = useCallback((next: LineAddress | undefined) => onAddress({ name, lines: next }), [name, onAddress]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt asks once more.
  useEffect(() => {
    const controller = new AbortController();
    setFailure(undefined);
    source.info(controller.signal).then(
      (found) => setArtifact({ ...found, name }),
      (error: ArtifactFailure) => !controller.signal.aborted && setFailure(error),
    );
    return () => controller.abort();
  }, [source, name, attempt]);

  useEffect(() => {
    if (failure?.retryAfterSeconds === undefined) return;
    const timer = setTimeout(() => setAttempt((count) => count + 1), failure.retryAfterSeconds * 1000);
    return () => clearTimeout(timer);
  }, [failure]);

  const closeButton = (
    <button type="button" className="icon-button" aria-label="Close the output" onClick={onClose}>
      <X aria-hidden className="size-4" />
    </button>
  );
  if (artifact) {
    return (
      <ArtifactViewer
        source={source}
        artifact={artifact}
        address={lines}
        onAddress={select}
        onEscape={onClose}
        isPanel
        actions={
          <>
            <a
              className="icon-button"
              href={source.pageHref + (lines ? formatLineAddress(lines) : '')}
              aria-label="Open as a page"
              title="Open as a page"
            >
              <Maximize2 aria-hidden className="size-4" />
            </a>
            {closeButton}
          </>
        }
      />
    );
  }
  return (
    <div className="flex flex-1 flex-col">
      <div className="flex justify-end border-line border-b p-2">{closeButton}</div>
      <div className="m-auto flex max-w-sm flex-col items-center gap-3 p-6 text-center text-muted">
        {failure ? (
          <>
            <p role="alert">{failure.message}</p>
            {failure.kind !== 'gone' && (
              <button type="button" className="quiet-button" onClick={() => setAttempt(attempt + 1)}>
                Retry
              </button>
            )}
          </>
        ) : (
          <p role="status">Loading the output…</p>
        )}
      </div>
    </div>
  );
}
