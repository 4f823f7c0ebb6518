import { describe, expect, test } from 'vitest';
import { corpusNames, readCorpus } from '../../fixtures/corpus.ts';
import { preview, scannedOutput } from '../../fixtures/scanned-output.ts';
import { modelText } from '../text/frame.ts';
import { byteLength } from '../text/utf.ts';
import { resolveLimits } from './limits.ts';
import { planPreview } from './notice-and-hint-words.ts';

const limits = resolveLimits({ previewBytes: 4096 });

/** Tool outputs made from these files, such as one line, several runs, or two sources at once. */
const variants: Record<string, (text: string, other: string) => string> = {
  'as it is': (text) => text,
  'in one line': (text) => text.replaceAll('\n', ' '),
  'five times': (text) => Array.from({ length: 5 }, () => text).join('\n'),
  interleaved: (text, other) => {
    const others = other.split('\n');
    return text
      .split('\n')
      .flatMap((line, index) => [line, others[index % others.length] ?? ''])
      .join('\n');
  },
};

describe.each(corpusNames)('the text that the model sees for %s', (name) => {
  const other = readCorpus(corpusNames[(corpusNames.indexOf(name) + 1) % corpusNames.length] ?? name);

  test.each(Object.keys(variants))('%s', async (variant) => {
    const output = scannedOutput(variants[variant]?.(readCorpus(name), other) ?? '', limits);
    const facts = {
      toolName: 'readFile',
      isError: false,
      path: 'tool-output/tool_x.txt',
      hint: { grep: 'grepArtifacts', read: 'readArtifact' },
    };
    const plan = planPreview(limits, { chars: output.scan.chars, facts });
    const shown = preview(output, { keep: 'auto', limits: plan.limits });
    const text = modelText({ text: plan.noticeAndHint(shown.part), preview: shown.text });
    expect(byteLength(text)).toBeLessThanOrEqual(limits.previewBytes);
    expect(byteLength(text)).toBeGreaterThan(limits.previewBytes * 0.6);
    await expect(text).toMatchFileSnapshot(`./corpus-previews/${name} ${variant}.txt`);
  });
});
