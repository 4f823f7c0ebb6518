import { Braces } from 'lucide-react';
import { useRef, useState } from 'react';
import { ScrollRegion } from '../scroll-region';
import { shownText } from '../text-segments';
import type { ArtifactSource, ArtifactSummary } from './artifact-source';
import { maxPrettyBytes, prettyJson } from './pretty-json';
import { ViewerDialog } from './viewer-dialog';

/** JSON on few lines, laid out. Not offered for more than anybody reads. */
export function PrettyView({ source, artifact }: { source: ArtifactSource; artifact: ArtifactSummary }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState<string>();
  const [failure, setFailure] = useState<string>();
  const { bytes } = artifact;
  if (bytes > maxPrettyBytes) return null;

  async function open() {
    dialog.current?.showModal();
    if (text !== undefined) return;
    setFailure(undefined);
    try {
      const json = await source.bytes({ start: 0, end: bytes });
      const pretty = prettyJson(await json.text());
      setText(pretty === undefined ? 'This is no valid JSON.' : pretty.split('\n').map(shownText).join('\n'));
    } catch (error) {
      setFailure((error as Error).message);
    }
  }

  return (
    <>
      <button type="button" className="quiet-button noscript:hidden" onClick={() => void open()}>
        <Braces aria-hidden className="size-3.5" />
        Formatted
      </button>
      <ViewerDialog ref={dialog} title="Formatted JSON">
        {failure !== undefined && text === undefined ? (
          <p role="alert" className="text-failure text-sm">
            {failure}
          </p>
        ) : (
          <ScrollRegion label="JSON" className="min-h-24 rounded-lg border border-line bg-sunken p-3">
            <pre data-pretty className="font-mono text-xs leading-5">
              {text ?? 'Loading…'}
            </pre>
          </ScrollRegion>
        )}
      </ViewerDialog>
    </>
  );
}
