import { log, MEGABYTE, records } from '../bench/inputs.ts';
import { artifactRoute } from '../fixtures/artifact-route.ts';
import { callReader } from '../fixtures/call-reader.ts';
import { checkEvidence } from '../src/agents/evidence/check-evidence.ts';
import { scopedArtifacts } from '../src/artifacts/scoped-artifacts.ts';
import type { TruncationLimits } from '../src/preview/limits.ts';
import { memoryStore } from '../src/stores/memory-store.ts';

const KILOBYTE = 1024;

/** An output of ordinary size whose preview takes work. */
export interface WorkingOutput {
  text: string;
  limits?: TruncationLimits;
}

const large: TruncationLimits = { maxBytes: MEGABYTE, previewBytes: MEGABYTE };
const lines = (record: unknown[]) => record.map((each) => JSON.stringify(each)).join('\n');

/** Outputs that are quick to save, but slow to preview when many are previewed in the same turn. */
export function workingOutputs(): Record<string, WorkingOutput> {
  return {
    'an object and blank lines': { text: `{"a":1}${'\n'.repeat(60_000)}` },
    'an object and blank lines with Windows line breaks': { text: `{"a":1}${'\r\n'.repeat(30_000)}` },
    'a colon and white space': { text: `{"a":${' \n'.repeat(30_000)}` },
    'a JSON text': { text: JSON.stringify(records(260 * KILOBYTE)) },
    'a JSON text of lists in lists': { text: JSON.stringify(Array.from({ length: 20_000 }, (_, id) => [id, [1]])) },
    'a JSON text of numbers': { text: `[${'1,'.repeat(130_000)}1]` },
    NDJSON: { text: lines(records(260 * KILOBYTE)) },
    'NDJSON of long records': { text: lines(Array.from({ length: 100 }, () => records(3000))) },
    'a page': { text: `<html>${'<div class="a"><p>one <b>line</b> of a page</p></div>'.repeat(5000)}` },
    'a page in pieces of a letter': { text: `<html>${'<p>a</p>'.repeat(30_000)}` },
    Markdown: { text: '# one\n\n- a line\n\n'.repeat(15_000) },
    'a diff': { text: 'diff --git a/b b/b\n@@ -1 +1 @@\n-one\n+line\n'.repeat(6000) },
    'a large preview of a page': {
      text: `<html>${'<p>one line</p>\n<h2>\u202eb</h2>\n'.repeat(60_000)}`,
      limits: large,
    },
    'a large preview of Markdown': { text: '# one\n\n- a \u202e line\n\n'.repeat(90_000), limits: large },
    'a large preview of soft hyphens': { text: '\u00ad'.repeat(600_000), limits: large },
    'a large preview of tag characters': { text: '\u{e0041}'.repeat(300_000), limits: large },
    'a large preview of a JSON text': { text: JSON.stringify(records(2 * MEGABYTE)), limits: large },
  };
}

/** Readers whose answers take work. Each resolves to whether its search got a turn. */
export async function workingReaders(bytes: number): Promise<Record<string, () => Promise<boolean>>> {
  const store = memoryStore();
  const route = artifactRoute(store);
  const artifacts = scopedArtifacts(store, { scope: 'chat-1' });
  const path = await route.save(log(bytes, { columns: 120 }));
  const table = await route.save(JSON.stringify(records(bytes / 4)), 'application/json');
  const ask = async (...call: [name: 'grepArtifacts' | 'queryArtifact', input: object]) =>
    (await callReader(artifacts, ...call)).code !== 'TIMEOUT';
  const grep = (pattern: string) => ask('grepArtifacts', { path, pattern });
  const query = (question: object) => ask('queryArtifact', { path: table, ...question });
  const search = async (question: string) => (await (await route.get(`${path}/grep?${question}`)).text()) !== '';
  const slow = Array.from({ length: 20 }, (_, index) => `x{0,${400 + index}}b`);
  const claims = ['processed job 3 for', 'customer 7919 in', 'nowhere at all in this log'].map((quote) => {
    return { path, startLine: 1, endLine: 1, quote };
  });
  return {
    grepArtifacts: () => grep('worker-[0-9]+ processed job 1*7'),
    'grepArtifacts for a word': () => grep('connection refused'),
    'queryArtifact, groups': () => query({ groupBy: ['customer'], limit: 5 }),
    'queryArtifact, sorted': () => query({ sort: [{ field: 'total', direction: 'desc' }], limit: 200 }),
    'queryArtifact, 20 patterns': () =>
      query({ where: slow.map((value) => ({ field: 'customer', op: 'matches', value })) }),
    'a route search': () => search('q=worker-%5B0-9%5D%2B+processed&max=50'),
    'a route search without a match': () => search('q=%5B0-9%5D%7B12%7D'),
    checkEvidence: async () => (await checkEvidence(artifacts, claims)).length > 0,
    'counted repeats in a row': () => grep('a{0,1000}'.repeat(56)),
    'counted repeats of the start of a line': () => grep('(?:^){1000}'.repeat(46)),
    'Unicode classes in a row': () => grep('\\pL'.repeat(49)),
  };
}
