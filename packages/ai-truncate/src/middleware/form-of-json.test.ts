import { describe, expect, test } from 'vitest';
import { formOfJson } from './form-of-json.ts';

const run = { stdout: 'out', stderr: '', outcome: { type: 'exit', exitCode: 0 } };
const screenshot = { type: 'computer_screenshot', imageUrl: 'data:image/png;base64,iVBORw0KGgo=' };

function formOf(value: unknown, toolName: string, openAiTools: string[] = []) {
  return formOfJson(value, { toolName, openAiTools });
}

describe('JSON of a tool of OpenAI', () => {
  test.each<[string, unknown, string]>([
    ['shell, under any name', { output: [run, run] }, 'bash'],
    ['shell with its limit', { output: [run], maxOutputLength: 4000 }, 'shell'],
  ])('has its texts shortened in place: %s', (_, value, toolName) => {
    expect(formOf(value, toolName)).toBe('shell');
  });

  test.each<[string, unknown, string]>([
    ['localShell', { output: 'text' }, 'local_shell'],
    ['applyPatch', { status: 'failed', output: 'text' }, 'apply_patch'],
    ['computer', { output: screenshot, acknowledgedSafetyChecks: [] }, 'computer'],
    ['definitions of tools', { tools: [{ type: 'function', name: 'a' }] }, 'toolSearch'],
  ])('stays whole: %s', (_, value, toolName) => {
    expect(formOf(value, toolName)).toBe('whole');
  });

  test('is known under another name where the application says so', () => {
    const values = [{ output: 'text' }, { output: screenshot }, { tools: [] }];
    expect(values.map((value) => formOf(value, 'mine', ['mine']))).toEqual(['whole', 'whole', 'whole']);
    expect(values.map((value) => formOf(value, 'mine', ['other']))).toEqual(['text', 'text', 'text']);
  });
});

describe('JSON of any other tool is text', () => {
  test.each<[string, unknown, string]>([
    ['a value', 'text', 'computer'],
    ['a list', [run], 'shell'],
    [
      'what its toJSON knows',
      new (class {
        output = [run];
        toJSON = () => 'x';
      })(),
      'shell',
    ],
    ['a screenshot under the name of a client-side tool', { output: screenshot }, 'readClipboard'],
    ['definitions of tools under the name of a client-side tool', { tools: [{ name: 'a' }] }, 'readClipboard'],
    ['a text under a name of its own', { output: 'text' }, 'bash'],
    ['members beside those of OpenAI, which would be dropped', { output: 'text', exitCode: 1 }, 'local_shell'],
    ['members beside the runs of a shell', { output: [run], cwd: '/' }, 'shell'],
    ['runs that are none', { output: [run, { text: 'x' }] }, 'shell'],
    ['no runs', { output: [] }, 'shell'],
    ['tools and more', { tools: [], more: 'text' }, 'toolSearch'],
  ])('%s', (_, value, toolName) => {
    expect(formOf(value, toolName)).toBe('text');
  });

  test('what throws when it is looked at', () => {
    const throws = {
      get output() {
        throw new Error('no');
      },
    };
    expect(formOf(throws, 'local_shell')).toBe('text');
  });
});
