import { ScrollRegion } from './scroll-region';

/** A unified diff, line by line. The marks of the diff stay in the text, so colour is never all that tells them apart. */
export function DiffView({ diff, label }: { diff: string; label: string }) {
  return (
    <ScrollRegion label={label} className="max-h-80 rounded-lg border border-line bg-sunken">
      <pre className="w-max min-w-full py-2 font-mono text-xs leading-5">
        {diff
          .slice(0, maxChars)
          .split('\n')
          .map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a diff never changes.
            <span key={index} className={`block px-3.5 ${colourOf(line)}`}>
              {line}
              {'\n'}
            </span>
          ))}
      </pre>
    </ScrollRegion>
  );
}

/** A model can ask for a change of any size: the page draws no more than this of it. */
const maxChars = 60_000;

function colourOf(line: string): string {
  if (/^(---|\+\+\+|@@|diff )/.test(line)) return 'text-muted';
  if (line.startsWith('+')) return 'bg-success-soft text-success';
  if (line.startsWith('-')) return 'bg-failure-soft text-failure';
  return '';
}
