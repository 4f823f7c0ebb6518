import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { callReader } from '../../fixtures/call-reader.ts';
import { readCorpus } from '../../fixtures/corpus.ts';
import { scopedArtifacts } from '../artifacts/scoped-artifacts.ts';
import { memoryStore } from '../stores/memory-store.ts';
import type { ReaderName } from './create-artifact-tools.ts';

/** The random part of a path in the samples. */
const SHOWN_ID = '7f3k9q2m4x8p1z5c';
const SHOWN_PATH = `tool-output/tool_20260113_153045_fetch_call-1_${SHOWN_ID}`;

interface Sample {
  call: string;
  reader: ReaderName;
  file: string;
  answer: string;
}

/** The calls on the page, each with the answer after it. */
function samplesOf(page: string): Sample[] {
  const text = readFileSync(new URL(`../../../../docs/${page}`, import.meta.url), 'utf8');
  const blocks = text.split(/^```.*$/m).filter((_, index) => index % 2 === 1);
  return blocks.flatMap((block) => {
    const [call = '', ...answer] = block.trim().split('\n\n');
    const reader = /^(\w+Artifacts?)\(/.exec(call)?.[1] as ReaderName | undefined;
    const file = /path \/\* ([\w.-]+)/.exec(call)?.[1];
    return reader && file ? [{ call, reader, file, answer: answer.join('\n\n') }] : [];
  });
}

/** The answer that the model sees. */
async function answerTo({ call, reader, file }: Sample): Promise<string> {
  const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1' });
  const { path } = await artifacts.save(readCorpus(file), { toolName: 'fetch', toolCallId: 'call-1' });
  // The page belongs to this project, and its calls are JavaScript.
  const input: unknown = new Function(reader, 'path', `return ${call}`)((given: unknown) => given, path);
  const { text } = await callReader(artifacts, reader, input);
  const id = path.slice(-20, -4);
  return text.replaceAll(path.slice(0, -4), SHOWN_PATH).replaceAll(id, SHOWN_ID);
}

describe('the samples in docs/readers.md', () => {
  const samples = samplesOf('readers.md');

  test('are for the three default readers', () => {
    expect(new Set(samples.map(({ reader }) => reader))).toEqual(
      new Set(['readArtifact', 'grepArtifacts', 'queryArtifact']),
    );
  });

  test.each(samples.map((sample) => [sample.call.split('\n')[0], sample] as const))(
    'show what the model sees: %s',
    async (_, sample) => {
      expect(sample.answer).toBe(await answerTo(sample));
    },
  );
});
