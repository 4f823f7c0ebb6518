import { expect, test } from 'vitest';
import { answerHref, artifactHref, artifactLabel, downloadHref } from './artifact-link';

const name = 'tool_20260113_153045_read-server-logs_call-123_7f3k9q2m4x8p1z5c.txt';
const chat = 'c1';

test('a link to lines contains the chat and the range', () => {
  expect(artifactHref(`.data/tool-output/c1/${name}`, { chat, lines: { from: 120, to: 140 } })).toBe(
    `/a/${name}?chat=c1#L120-L140`,
  );
});

test('an artifact is named after its tool and its file extension', () => {
  expect(artifactLabel(`tool-output/${name}`)).toBe('read-server-logs.txt');
  expect(artifactLabel('notes.txt')).toBe('notes.txt');
});

test('a download contains all bytes', () => {
  expect(downloadHref(`tool-output/${name}`, { chat })).toBe(`/api/artifacts/${name}/raw?chat=c1`);
});

test.each([
  [`/a/${name}#L120-L140`, `/a/${name}?chat=c1#L120-L140`],
  [`/a/${name}#L7`, `/a/${name}?chat=c1#L7`],
  [`/a/${name}`, `/a/${name}?chat=c1`],
  [`/a/${name}?chat=another`, `/a/${name}?chat=c1`],
  ['https://ai-sdk.dev', 'https://ai-sdk.dev'],
  ['javascript:alert(1)', undefined],
  ['data:text/html,x', undefined],
  ['//evil.example', undefined],
  ['/etc/passwd', undefined],
])('the link %s in an answer points to %s', (href, expected) => {
  expect(answerHref(href, { chat })).toBe(expected);
});
