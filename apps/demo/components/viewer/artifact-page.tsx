'use client';

import type { ArtifactLinesAnswer } from 'ai-truncate/http';
import { useEffect, useMemo, useState } from 'react';
import { formatLineAddress, type LineAddress, parseLineAddress } from '../line-address';
import { type ArtifactSummary, artifactSource } from './artifact-source';
import { ArtifactViewer } from './artifact-viewer';

interface ArtifactPageProps {
  chat: string;
  artifact: ArtifactSummary;
  /** What there is to see before a script has run. */
  firstLines: ArtifactLinesAnswer | undefined;
}

/** The viewer as a page of its own: the hash says where it is, and follows what is selected. */
export function ArtifactPage({ chat, artifact, firstLines }: ArtifactPageProps) {
  const source = useMemo(() => artifactSource({ name: artifact.name, chat }), [artifact.name, chat]);
  const [address, setAddress] = useState<LineAddress>();

  useEffect(() => {
    const read = () => setAddress(parseLineAddress(window.location.hash));
    read();
    window.addEventListener('hashchange', read);
    return () => window.removeEventListener('hashchange', read);
  }, []);

  return (
    <ArtifactViewer
      source={source}
      artifact={artifact}
      firstLines={firstLines}
      address={address}
      onAddress={(next) => {
        // Replaced, so that the way back leads to the page before and not through every line.
        window.history.replaceState(
          null,
          '',
          next ? formatLineAddress(next) : window.location.pathname + window.location.search,
        );
        setAddress(next);
      }}
      actions={
        <a className="quiet-button" href={`/c/${encodeURIComponent(chat)}`}>
          Back to chat
        </a>
      }
    />
  );
}
