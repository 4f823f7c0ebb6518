import type { TruncatedOutput } from 'ai-truncate/ui';
import { Download, ExternalLink } from 'lucide-react';
import { expiredSince } from './artifact-expiry';
import { artifactHref, downloadHref } from './artifact-link';
import { useChatId } from './chat-id';
import { CopyButton } from './copy-button';
import { formatBytes } from './format-size';
import { Preview } from './preview';
import { Warning } from './tool-status';

/** A large output: what the model received of it, word for word, and where all of it is. */
export function TruncatedResult({ output, toolName }: { output: TruncatedOutput; toolName: string }) {
  const { data, text } = output;
  const { truncation, preview } = data;
  const [notice, ...hint] = text.split('\n');

  return (
    <div className="flex flex-col gap-2.5">
      <ModelWords>{notice}</ModelWords>
      <Preview data={data} toolName={toolName} />
      {hint.length > 0 && <ModelWords>{hint.join('\n')}</ModelWords>}
      {truncation.running && <p className="text-muted text-sm">The tool is still working: this is the end so far.</p>}
      {truncation.full_output_path === null && !truncation.running && (
        <Warning>Preview only: the full output could not be saved and is gone.</Warning>
      )}
      <Actions truncation={truncation} preview={preview} />
    </div>
  );
}

function Actions({ truncation, preview }: { truncation: TruncatedOutput['data']['truncation']; preview: string }) {
  const chat = useChatId();
  const { full_output_path: path, original_bytes: bytes, expires_at: expiresAt } = truncation;
  const expired = path === null ? undefined : expiredSince(expiresAt, Date.now());
  return (
    <div className="flex flex-wrap items-center gap-2">
      {path !== null && expired === undefined && (
        <a className="quiet-button" href={artifactHref(path, { chat })}>
          <ExternalLink aria-hidden className="size-3.5" />
          Open full output
        </a>
      )}
      <CopyButton text={preview} label="Copy preview" />
      {path !== null && expired === undefined && (
        <a className="quiet-button" href={downloadHref(path, { chat })} download>
          <Download aria-hidden className="size-3.5" />
          Download {formatBytes(bytes)}
        </a>
      )}
      {path !== null && expired !== undefined && (
        <a className="text-muted text-sm underline" href={artifactHref(path, { chat })} suppressHydrationWarning>
          Expired {expired} ago
        </a>
      )}
    </div>
  );
}

/** The sentences around the preview: the model reads them too. */
function ModelWords({ children }: { children: string | undefined }) {
  return (
    <p data-model-words className="whitespace-pre-wrap break-words font-mono text-2xs text-muted">
      {children}
    </p>
  );
}
