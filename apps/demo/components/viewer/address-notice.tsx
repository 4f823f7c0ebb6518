import { useEffect, useState } from 'react';
import { formatCount } from '../format-size';
import { type LineAddress, rangeLabel } from '../line-address';
import type { ArtifactSource } from './artifact-source';
import { type QuoteCheck, quoteCheck } from './quote-check';

interface AddressNoticeProps {
  source: ArtifactSource;
  address: LineAddress | undefined;
  lines: number;
}

/** Says when a link leads to what is not there: a line behind the end, or words that do not stand at their lines. */
export function AddressNotice({ source, address, lines }: AddressNoticeProps) {
  const [check, setCheck] = useState<{ quote: string; outcome: QuoteCheck | 'failed' }>();
  const { from, to, quote } = address ?? {};

  useEffect(() => {
    if (quote === undefined || from === undefined || to === undefined || from > lines) return;
    const controller = new AbortController();
    quoteCheck(source, { range: { from, to }, quote, signal: controller.signal }).then(
      (outcome) => setCheck({ quote, outcome }),
      () => !controller.signal.aborted && setCheck({ quote, outcome: 'failed' }),
    );
    return () => controller.abort();
  }, [source, from, to, quote, lines]);

  if (address && address.from > lines) {
    return (
      <Notice isWarning>
        There is no line {formatCount(address.from)}: this output has {formatCount(lines)} lines. Its end is shown.
      </Notice>
    );
  }
  if (!address || quote === undefined || check?.quote !== quote) return null;
  if (check.outcome === 'there') return <Notice>Verified: the quote is at {placeWords(address)}.</Notice>;
  if (check.outcome === 'missing') {
    return (
      <Notice isWarning>
        The output says something else at {placeWords(address)} than the quote: <q className="font-mono">{quote}</q>
      </Notice>
    );
  }
  return <Notice>The quote at {placeWords(address)} could not be checked here.</Notice>;
}

function Notice({ isWarning = false, children }: { isWarning?: boolean; children: React.ReactNode }) {
  const colours = isWarning ? 'bg-warning-soft text-warning' : 'bg-success-soft text-success';
  return (
    <p data-address-notice className={`line-clamp-4 break-words px-3 py-1.5 text-sm ${colours}`}>
      {children}
    </p>
  );
}

function placeWords(address: LineAddress): string {
  return address.from === address.to ? `line ${rangeLabel(address)}` : `lines ${rangeLabel(address)}`;
}
