import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { readCorpus } from '../../fixtures/corpus.ts';
import { viewOf } from '../../fixtures/view-of.ts';

/** Kinds of tool outputs, and the outputs of each. They come from real tools; `fixtures/outputs/README.md` has their origin. */
export const outputNames = {
  shell: [
    'apt-show',
    'biome-lint',
    'dpkg-list',
    'git-log-stat',
    'ls-tree',
    'npm-ls',
    'npm-view-time',
    'python-tests',
    'tsc-errors',
    'tsc-trace',
  ],
  html: [
    'ninja',
    'node-child-process',
    'node-tls',
    'npm-config',
    'rust-lints',
    'rust-vec-deque',
    'underscore',
    'wikipedia',
  ],
  diff: ['express', 'fastify', 'git-log-p', 'js-yaml', 'knex', 'mime', 'python', 'ws'],
  source: [
    'Ping.pm',
    'bootstrap.css',
    'command.js',
    'lib.es5.d.ts',
    'model.js',
    'python-build',
    'tarfile.py',
    'zlib.h',
  ],
  csv: ['airports', 'birdstrikes', 'earthquakes', 'flights-airport', 'movies', 'sp500-2000', 'unemployment', 'weather'],
  packages: ['cyclonedx', 'lock-in-one-line', 'manifests', 'npm-ls', 'npm-query', 'outdated', 'package-lock', 'spdx'],
  markdown: [
    'ai-stream-text',
    'axios-readme',
    'express-history',
    'fastify-server',
    'got-readme',
    'next-image',
    'node-dns',
    'npm-config',
  ],
} as const;
export type OutputKind = keyof typeof outputNames;
export const outputKinds = Object.keys(outputNames) as OutputKind[];

/** The words of the report for each kind. */
export const kindTitles: Readonly<Record<OutputKind, string>> = {
  shell: 'shell object',
  html: 'web page',
  diff: 'diff',
  source: 'source file',
  csv: 'CSV',
  packages: 'package metadata',
  markdown: 'Markdown',
};

/**
 * Two outputs of each kind, drawn by a seeded random number before any preview of them was made. They have separate rows in the
 * report, and `misses.ts` never lists them, because previews must not be tuned to them.
 */
export const heldOut: Readonly<Record<OutputKind, readonly [string, string]>> = {
  shell: ['npm-view-time', 'tsc-trace'],
  html: ['rust-lints', 'node-child-process'],
  diff: ['fastify', 'express'],
  source: ['lib.es5.d.ts', 'Ping.pm'],
  csv: ['earthquakes', 'unemployment'],
  packages: ['outdated', 'npm-ls'],
  markdown: ['express-history', 'ai-stream-text'],
};

/** An output as a tool returns it. */
export interface RealOutput {
  kind: OutputKind;
  name: string;
  value: unknown;
  /** The output as a text with lines: records as indented JSON, other values with the line breaks inside their strings. */
  text: string;
  isHeldOut: boolean;
}

const known = new Map<string, RealOutput>();

export function realOutput(kind: OutputKind, name: string): RealOutput {
  const key = `${kind}/${name}`;
  const output = known.get(key) ?? readOutput(kind, name);
  known.set(key, output);
  return output;
}

function readOutput(kind: OutputKind, name: string): RealOutput {
  const value = derived[`${kind}/${name}`]?.() ?? readStored(kind, name);
  return { kind, name, value, text: textOf(kind, value), isHeldOut: heldOut[kind].includes(name) };
}

function textOf(kind: OutputKind, value: unknown): string {
  if (typeof value === 'string') return value;
  return kind === 'packages' ? JSON.stringify(value, null, 2) : viewOf(value);
}

const directory = new URL('../../fixtures/outputs/', import.meta.url);

function readStored(kind: OutputKind, name: string): unknown {
  const bytes = brotliDecompressSync(readFileSync(new URL(`${kind}/${name}.json.br`, directory)));
  return JSON.parse(bytes.toString('utf8'));
}

/** Outputs that are another form of stored ones. */
const derived: Readonly<Record<string, () => unknown>> = {
  'html/wikipedia': () => ({
    url: 'https://en.wikipedia.org/wiki/New_Zealand',
    status: 200,
    body: readCorpus('wikipedia.html'),
  }),
  'csv/movies': () => csvOf(JSON.parse(readCorpus('movies.json'))),
  'csv/earthquakes': () => {
    const { features }: { features: { properties: object }[] } = JSON.parse(readCorpus('earthquakes.json'));
    return csvOf(features.map(({ properties }) => properties));
  },
  'packages/manifests': () =>
    (readStored('packages', 'npm-query') as Manifest[])
      .map(({ name, version, license, description, homepage, author }) =>
        JSON.stringify({ name, version, license, description, homepage, author }),
      )
      .join('\n'),
  'packages/lock-in-one-line': () => JSON.stringify(JSON.parse(readStored('packages', 'package-lock') as string)),
};

export type Manifest = Readonly<Record<string, unknown>> & { name: string };

function csvOf(records: readonly object[]): string {
  const fields = Object.keys(records[0] ?? {});
  const rows = records.map((record) => Object.values(record).map((value) => cellOf(value === null ? '' : `${value}`)));
  return `${[fields, ...rows].map((row) => row.join(',')).join('\n')}\n`;
}

function cellOf(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
