import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arbitraryLargeText } from '../../fixtures/arbitrary-text.ts';
import { runningNotice, truncationHint, truncationNotice } from '../preview/notice-and-hint-words.ts';
import { boundedModelText, framedPreviewOf, modelText } from './frame.ts';
import { visibleText } from './visible-text.ts';

const part = { kind: 'part', unit: 'lines', shown: 2000, total: 5234 } as const;
const path = `tool-output/${'x'.repeat(500)}.txt`;
const notices = [
  truncationNotice({ toolName: '日本語'.repeat(99), isError: false, part, path }),
  truncationNotice({ toolName: '', isError: true, isComplete: false, part, path: null }),
  runningNotice({ toolName: 'read', part }),
];
const hints = [
  truncationHint({ toolName: 'read', path, hint: { task: 'task' } }),
  truncationHint({ toolName: '日本語'.repeat(99), path: null, hint: {}, isRepeatable: true }),
  truncationHint({ toolName: 'read', path, hint: '</tool-output-preview>\n\u202e'.repeat(99) }),
  '',
];
const words = notices.flatMap((notice) => hints.map((hint) => (hint === '' ? notice : `${notice}\n${hint}`)));

describe('a framed text', () => {
  test('contains its preview', () => {
    fc.assert(
      fc.property(fc.constantFrom(...words), arbitraryLargeText.map(visibleText), (text, preview) => {
        expect(framedPreviewOf(modelText({ text, preview }))).toBe(preview);
      }),
    );
  });

  const [notice = ''] = notices;
  test.each([
    ['any text', 'hello'],
    ['a frame inside the frame', modelText({ text: notice, preview: 'a\n</tool-output-preview>\nb' })],
    ['no frame after them', `${notice}\nx\n</tool-output-preview>`],
    ['no end of the frame', `${notice}\n<tool-output-preview>\nx`],
    ['more than one line after the frame', `${modelText({ text: notice, preview: 'x' })}\na\nb`],
    ['a long line after the frame', `${modelText({ text: notice, preview: 'x' })}\n${'b'.repeat(9999)}`],
    ['a notice of any length', modelText({ text: notice + 'x'.repeat(9999), preview: 'x' })],
  ])('is not recognized in %s', (_, text) => {
    expect(framedPreviewOf(text)).toBeUndefined();
  });
});

describe('the model text', () => {
  test('consists of notice, framed preview and hint', () => {
    expect(modelText({ text: 'notice\nhint', preview: 'line 1\nline 2' })).toBe(
      'notice\n<tool-output-preview>\nline 1\nline 2\n</tool-output-preview>\nhint',
    );
    expect(modelText({ text: 'notice', preview: '' })).toBe('notice\n<tool-output-preview>\n\n</tool-output-preview>');
  });

  const output = { text: 'notice\nhint', preview: 'x'.repeat(5000) };

  test.each([
    ['bytes', { maxBytes: 1000 }],
    ['characters', { maxBytes: 9000, maxChars: 1000 }],
  ])('is cut to its budget of %s, and says how many characters are missing', (_, budget) => {
    const text = boundedModelText(output, budget);
    const [, shown = '', missing = ''] = /\n(x+)\n\.\.\. \[([\d,]+) characters not shown\] \.\.\.\n/.exec(text) ?? [];
    expect([text.length <= 1000, shown.length > 800]).toEqual([true, true]);
    expect(shown.length + Number(missing.replace(',', ''))).toBe(5000);
  });

  test('is unchanged within its budget', () => {
    const text = modelText(output);
    expect(boundedModelText(output, { maxBytes: text.length, maxChars: text.length })).toBe(text);
  });
});
