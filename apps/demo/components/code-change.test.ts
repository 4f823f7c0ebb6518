import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { changedCode, codeChange } from './code-change';

const surroundings = `
import type { LanguageModel, ModelMessage, Tool } from 'ai';
declare const model: LanguageModel;
declare const messages: ModelMessage[];
declare const chatId: string;
declare const readServerLogs: Tool<{ hours: number }, string>;
declare const queryOrders: Tool<{ region: string }, { count: number }>;
void result;
`;

test.each([
  ['without', codeChange.filter(({ kind }) => kind !== 'added').map(({ text }) => text)],
  ['with', [changedCode]],
])(
  'the code %s the change compiles',
  (_name, lines) => {
    expect(errorsOf(lines.join('\n'))).toEqual([]);
  },
  30_000,
);

test('code that does not compile is detected', () => {
  expect(errorsOf(changedCode.replace('{ store,', '{ shop: store,'))).not.toEqual([]);
}, 30_000);

function errorsOf(code: string): string[] {
  const file = fileURLToPath(new URL('./code-change-example.ts', import.meta.url));
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: ['node'],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (name) => name === file || fileExists(name);
  host.getSourceFile = (name, ...rest) =>
    name === file
      ? ts.createSourceFile(name, `${code}\n${surroundings}`, ts.ScriptTarget.ES2023)
      : getSourceFile(name, ...rest);
  return ts
    .getPreEmitDiagnostics(ts.createProgram([file], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}
