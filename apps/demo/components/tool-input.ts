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
  return shorten([...words, ...queryWords(input)].join(' · '));
}

/** The number of conditions or columns of a query that are shown in one line. */
const maxQueryParts = 3;

const operators: Partial<Record<string, string>> = { eq: '=', ne: '≠', gt: '>', gte: '≥', lt: '<', lte: '≤' };

/** A query of saved records: its conditions, groups and aggregates. A model may send anything instead. */
function queryWords(input: object): string[] {
  const { where, groupBy, aggregate } = input as Record<string, unknown>;
  const conditions = itemsOf(where).map(
    ({ field, op, value }) => `${wordOf(field)} ${operators[wordOf(op)] ?? wordOf(op)} ${wordOf(value)}`,
  );
  const groups = Array.isArray(groupBy) ? groupBy.slice(0, maxQueryParts).map(wordOf) : [];
  const columns = itemsOf(aggregate).map(({ op, field }) =>
    field === undefined ? wordOf(op) : `${wordOf(op)}(${wordOf(field)})`,
  );
  const parts = [conditions.join(' and '), groups.length > 0 ? `by ${groups.join(', ')}` : '', columns.join(', ')];
  return parts.filter((part) => part !== '');
}

function itemsOf(value: unknown): Record<string, unknown>[] {
  const items: unknown[] = Array.isArray(value) ? value.slice(0, maxQueryParts) : [];
  return items.filter((item): item is Record<string, unknown> => typeof item === 'object' && item !== null);
}

function wordOf(value: unknown): string {
  if (Array.isArray(value)) return value.slice(0, maxQueryParts).map(wordOf).join(', ');
  return typeof value === 'object' && value !== null ? '…' : String(value ?? '').slice(0, maxChars);
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
