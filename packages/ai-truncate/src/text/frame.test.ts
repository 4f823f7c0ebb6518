import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryLargeText } from '../../fixtures/arbitrary-text.ts';
import { runningNotice, truncationHint, truncationNotice } from '../preview/notice-and-hint-words.ts';
import { framedPreviewOf, modelText } from './frame.ts';
import { visibleText } from './visible-text.ts';

const part = { kind: 'part', unit: 'lines', shown: 2000, total: 5234 } as const;
const path = `tool-output/${'x'.repeat(500)}.txt`;
const notices = [
  truncationNotice({ toolName: '日本語'.repeat(99), isError: false, part, path }),
  truncationNotice({ toolName: '', isError: true, isComplete: false, part, path: null }),
  runningNotice({ toolName: 'read', part }),
];
const hints = [
  truncationHint({ path, tools: ['task'] }),
  truncationHint({ path: null, tools: [], repeatable: 'read' }),
  '',
];
const words = notices.flatMap((notice) => hints.map((hint) => (hint === '' ? notice : `${notice}\n${hint}`)));

describe('a text in the frame', () => {
  test('holds the preview that it was made of', () => {
    fc.assert(
      fc.property(fc.constantFrom(...words), arbitraryLargeText.map(visibleText), (text, preview) => {
        expect(framedPreviewOf(modelText({ text, preview }))).toBe(preview);
      }),
    );
  });

  const [notice = ''] = notices;
  test.each([
    ['any text', 'hello'],
    ['a frame in the frame', modelText({ text: notice, preview: 'a\n</tool-output-preview>\nb' })],
    ['no frame behind them', `${notice}\nx\n</tool-output-preview>`],
    ['no end of the frame', `${notice}\n<tool-output-preview>\nx`],
    ['more than a line behind the frame', `${modelText({ text: notice, preview: 'x' })}\na\nb`],
    ['a long line behind the frame', `${modelText({ text: notice, preview: 'x' })}\n${'b'.repeat(9999)}`],
    ['a notice of any length', modelText({ text: notice + 'x'.repeat(9999), preview: 'x' })],
  ])('is not seen in %s', (_, text) => {
    expect(framedPreviewOf(text)).toBeUndefined();
  });
});

describe('what the model reads', () => {
  test('is notice, framed preview and hint', () => {
    expect(modelText({ text: 'notice\nhint', preview: 'line 1\nline 2' })).toBe(
      'notice\n<tool-output-preview>\nline 1\nline 2\n</tool-output-preview>\nhint',
    );
    expect(modelText({ text: 'notice', preview: '' })).toBe('notice\n<tool-output-preview>\n\n</tool-output-preview>');
  });
});
