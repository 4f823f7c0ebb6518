import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { topicAnswer, topics } from './topics';
import type { Turn } from './turn';

const root = join(import.meta.dirname, '..', '..', '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8').replace(/\s+/g, ' ');
const readmes = ['README.md', 'packages/ai-truncate/README.md', 'apps/demo/README.md'].map(read).join(' ');

const turn: Turn = { question: '', results: [], earlier: [], problem: undefined, tools: new Set(['runTests']) };
const texts = Object.keys(topics).map((topic) => topicAnswer(topic as keyof typeof topics, turn).text);

test('every figure about the library is in its READMEs', () => {
  const figures = texts.flatMap((text) => text.match(/\b\d[\d,.]* (?:lines|KB|MB|days|orders)\b/g) ?? []);
  expect(figures.length).toBeGreaterThan(8);
  expect(figures.filter((figure) => !readmes.includes(figure))).toEqual([]);
});

test('every command and requirement of the installation is in the README', () => {
  const install = topicAnswer('install', turn).text;
  for (const fact of [
    'npx pnpm@12.18.0 build',
    'npm pack',
    'npm install',
    'not published yet',
    'Node.js 22 or newer and `ai` 7',
  ]) {
    expect(install).toContain(fact);
    expect(readmes).toContain(fact);
  }
});

test('the license is that of the package', () => {
  expect(JSON.parse(readFileSync(join(root, 'packages/ai-truncate/package.json'), 'utf8')).license).toBe('MIT');
  expect(topicAnswer('author', turn).text).toContain('MIT');
});
