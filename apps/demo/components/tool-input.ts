import { artifactNameOf } from 'ai-truncate/ui';
import { artifactLabel } from './artifact-link';

/** How much of an input is shown in one line. */
const maxChars = 90;

/** What a tool was asked, in one line: `service: checkout · hours: 24`. Empty where there is nothing to say. */
export function inputSummary(input: unknown): string {
  if (typeof input === 'string') return shorten(input);
  if (typeof input !== 'object' || input === null) return '';
  // Only the first few are looked at: an input that a model wrote may have any number of members, of any length.
  const words = Object.entries(input)
    .slice(0, 4)
    .flatMap(([name, value]) => {
      // A text of many lines (a patch, a file) says nothing by its first one.
      if (typeof value === 'string')
        return value === '' || value.includes('\n') ? [] : [`${name}: ${shorten(nameOf(value))}`];
      return typeof value === 'number' || typeof value === 'boolean' ? [`${name}: ${value}`] : [];
    });
  return shorten(words.join(' · '));
}

/** The whole input as JSON, to be read; cut where it is too long to be. */
export function inputText(input: unknown): string {
  const text = typeof input === 'string' ? input : (JSON.stringify(input, null, 2) ?? '');
  return text.length > maxInputChars ? `${text.slice(0, maxInputChars)}\n…` : text;
}

const maxInputChars = 20_000;

/** A path of an artifact is longer than the line: its tool is enough to tell which one is meant. */
function nameOf(value: string): string {
  return artifactNameOf(value) === undefined ? value : artifactLabel(value);
}

function shorten(text: string): string {
  return text.length > maxChars ? `${text.slice(0, maxChars - 1).trimEnd()}…` : text;
}
