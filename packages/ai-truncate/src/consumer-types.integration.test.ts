import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const packageDirectory = join(import.meta.dirname, '..');
const baseConfig = join(packageDirectory, '../../tsconfig.base.json');
/** The directory of an application with the built package in a flat `node_modules`, as npm installs it. */
let directory = '';

beforeAll(async () => {
  directory = await mkdtemp(join(await realpath(tmpdir()), 'ai-truncate-types-'));
  const installed = join(directory, 'node_modules');
  await promisify(execFile)('tsdown', ['--out-dir', join(installed, 'ai-truncate/dist')], { cwd: packageDirectory });
  await cp(join(packageDirectory, 'package.json'), join(installed, 'ai-truncate/package.json'));
  const ai = await realpath(join(packageDirectory, 'node_modules/ai'));
  const providerUtils = await realpath(join(ai, '../@ai-sdk/provider-utils'));
  await link('ai', ai);
  await link('zod', join(ai, '../zod'));
  await link('@ai-sdk/provider', join(ai, '../@ai-sdk/provider'));
  await link('@ai-sdk/gateway', join(ai, '../@ai-sdk/gateway'));
  await link('@ai-sdk/provider-utils', providerUtils);
  await link('@standard-schema/spec', join(providerUtils, '../../@standard-schema/spec'));
}, 60_000);

afterAll(() => rm(directory, { recursive: true, force: true }));

async function link(name: string, target: string): Promise<void> {
  const path = join(directory, 'node_modules', name);
  await mkdir(dirname(path), { recursive: true });
  await symlink(target, path);
}

/** The errors of programs that are compiled together, and the files that the compiler read. */
async function compile(
  programs: Record<string, string>,
  compilerOptions: Record<string, unknown>,
): Promise<{ errorsIn: (program: string) => string[]; files: string[] }> {
  for (const [name, program] of Object.entries(programs)) await writeFile(join(directory, name), program);
  const config = {
    extends: baseConfig,
    compilerOptions: { types: [], ...compilerOptions },
    files: Object.keys(programs),
  };
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(config));
  const output = await promisify(execFile)('tsc', ['--project', directory, '--listFiles', '--pretty', 'false']).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
  // Further lines of an error are indented.
  const entries = output.split(/\n(?!\s)/).filter((entry) => entry !== '');
  const errors = entries.filter((entry) => !entry.startsWith('/'));
  return {
    files: entries.filter((entry) => entry.startsWith('/')),
    errorsIn(program) {
      const others = Object.keys(programs).filter((name) => name !== program);
      // An error outside of the programs counts for each program.
      return errors.filter((error) => !others.some((name) => error.includes(`/${name}(`)));
    },
  };
}

const application = `
import { type InferToolOutput, tool } from 'ai';
import { createArtifactTools, memoryStore, scopedArtifacts, type TruncatedOutput, truncateToolOutputs } from 'ai-truncate';
import { z } from 'zod';

const inputSchema = z.object({ service: z.string() });
const readLogs = tool({ inputSchema, execute: async ({ service }) => ({ service, lines: 1 }) });
const getWeather = tool({ inputSchema, execute: async () => 'sunny' });
export const tools = truncateToolOutputs(
  { readLogs, getWeather },
  { store: memoryStore(), scope: 'chat-1', perTool: { readLogs: { keep: 'tail' }, getWeather: false } },
);
export const { readArtifact, grepArtifacts, queryArtifact } = tools;
const helper = { description: 'Helps.', run: async () => ({ conclusion: 'Done.' }) };
export const delegating = truncateToolOutputs(
  { readLogs },
  { store: memoryStore(), scope: 'chat-1', explore: { model: 'openai/gpt-5-mini' }, agents: { helper } },
);
export const { task } = delegating;
export const readers = createArtifactTools(scopedArtifacts(memoryStore(), { scope: 'chat-1' }));
export const { listArtifacts, globArtifacts } = readers;
export const answers = async (call: Parameters<typeof readArtifact.execute>[1]) => [
  await readArtifact.execute({ path: '' }, call),
  await grepArtifacts.execute({ pattern: '' }, call),
  await queryArtifact.execute({ path: '' }, call),
  await listArtifacts.execute({}, call),
  await globArtifacts.execute({ pattern: '' }, call),
];
`;

const partsOfAnswers = `
import type { InferToolInput } from 'ai';
export const partsOf = {
  fields: (answer: InferToolOutput<typeof queryArtifact>) => answer.status === 'error' ? undefined : answer.data.fields,
  matches: (answer: InferToolOutput<typeof grepArtifacts>) => answer.status === 'error' ? undefined : answer.data.matches,
  entries: (answer: InferToolOutput<typeof listArtifacts>) => answer.status === 'error' ? undefined : answer.data.entries,
  entry: (answer: InferToolOutput<typeof listArtifacts>) => answer.status === 'error' ? undefined : answer.data.entries[0],
  error: (answer: InferToolOutput<typeof readArtifact>) => answer.error,
  stats: (answer: InferToolOutput<typeof readArtifact>) => [answer.stats, answer.context, answer.status],
  where: (query: InferToolInput<typeof queryArtifact>) => query.where?.[0],
  aggregate: (query: InferToolInput<typeof queryArtifact>) => query.aggregate?.[0],
  task: (answer: InferToolOutput<typeof task>) => answer.status === 'error' ? [] : [answer.data, answer.data.running, answer.data.usage],
  evidence: (answer: InferToolOutput<typeof task>) => answer.status === 'error' ? undefined : answer.data.evidence[0],
  agent: (input: InferToolInput<typeof task>) => input.agent,
  sort: (query: InferToolInput<typeof queryArtifact>) => query.sort?.[0],
};
`;

const exactTypes = `
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
const isExact: Equal<InferToolOutput<typeof tools.readLogs>, { service: string; lines: number } | TruncatedOutput> = true;
declare const output: InferToolOutput<typeof tools.readLogs>;
// @ts-expect-error A type that could not be found is equal to everything, and satisfies everything.
output satisfies number;
declare const answer: InferToolOutput<typeof tools.readArtifact>;
// @ts-expect-error It may be an error.
answer.data.content.length;
if (answer.status === 'error') throw new Error(answer.error.message);
const page = answer;
const isPageExact: Equal<typeof page.data.content, string> = true;
// @ts-expect-error
page.data.content satisfies number;
`;

/** Each value may be `undefined`. With `exactOptionalPropertyTypes`, that is not the same as a missing one. */
const passedOn = `
import { type ExploreAgentOptions, memoryStore, scopedArtifacts, type SubAgentResult } from 'ai-truncate';
declare const given: { start?: number; cursor?: string; limit?: number; mediaType?: string; instructions?: string };
const { start, cursor, limit, mediaType, instructions } = given;
const artifacts = scopedArtifacts(memoryStore(), { scope: 'chat-1', retentionDays: limit });
void artifacts.save('text', { toolName: 'read', toolCallId: 'call_1', mediaType });
void artifacts.readLines('path', { start, count: limit, maxBytes: limit, maxLineBytes: limit });
void artifacts.readBytes('path', { start, end: limit });
void artifacts.query('path', { limit, where: undefined, at: undefined });
artifacts.list({ cursor });
artifacts.grep('pattern', { path: cursor, before: limit, literal: undefined });
({ model: 'openai/gpt-5-mini', instructions, maxSteps: limit, timeoutMs: limit }) satisfies ExploreAgentOptions;
({ conclusion: 'Done.', incomplete: cursor, steps: limit }) satisfies SubAgentResult;
// @ts-expect-error The setting is in force.
({ a: limit }) satisfies { a?: number };
`;

describe('a set of tools in an application', () => {
  /** A flat folder: without it the compiler follows the links, and pnpm gives every package its own folder. */
  const installed = { preserveSymlinks: true, lib: ['es2023', 'dom', 'dom.iterable'] };
  const declared = { ...installed, noEmit: false, declaration: true, emitDeclarationOnly: true };

  describe('compiles with its declarations', () => {
    let compiled: Awaited<ReturnType<typeof compile>>;
    beforeAll(async () => {
      compiled = await compile({ 'application.ts': application, 'parts.ts': application + partsOfAnswers }, declared);
    });

    test('can be exported with its types', async () => {
      expect(compiled.errorsIn('application.ts')).toEqual([]);
      expect(compiled.files).toContain(join(directory, 'node_modules/ai-truncate/dist/index.d.ts'));
      const declarations = await readFile(join(directory, 'application.d.ts'), 'utf8');
      expect(declarations).toContain('import("ai-truncate").TruncatedTools<');
      expect(declarations).toContain('import("ai-truncate").AddedTools<');
    });

    test('lets an application export the inputs and outputs of its readers', () => {
      expect(compiled.errorsIn('parts.ts')).toEqual([]);
    });
  });

  describe('compiles with the types of the browser', () => {
    let compiled: Awaited<ReturnType<typeof compile>>;
    beforeAll(async () => {
      const clashing = "truncateToolOutputs({ readArtifact: readLogs }, { store: memoryStore(), scope: 'chat-1' });";
      const programs = { 'clashing.ts': application + clashing, 'exact.ts': application + exactTypes };
      compiled = await compile(programs, installed);
    });

    test('is refused if it uses a name of the library, and the compiler says what to do', () => {
      expect(compiled.errorsIn('clashing.ts').join('\n')).toContain(
        "'readArtifact' is already one of your tools: rename it, or leave out the reader with 'readers'",
      );
    });

    test('has exact types', () => {
      expect(compiled.errorsIn('exact.ts')).toEqual([]);
    });
  });

  test('takes options that an application passes on without a check for undefined', async () => {
    const { errorsIn } = await compile(
      { 'passed-on.ts': passedOn },
      { ...installed, exactOptionalPropertyTypes: true },
    );
    expect(errorsIn('passed-on.ts')).toEqual([]);
  });

  test('has exact types without the types of the browser and of Node', async () => {
    const bare = await compile({ 'exact.ts': application + exactTypes }, { ...installed, lib: ['es2023'] });
    expect(bare.errorsIn('exact.ts')).toEqual([]);
    expect(bare.files.filter((file) => /lib\.dom|@types\/node/.test(file))).toEqual([]);
  });

  test('would spell out its types if the root entry did not export their names', async () => {
    const root = join(directory, 'node_modules/ai-truncate/dist/index.d.ts');
    const complete = await readFile(root, 'utf8');
    await writeFile(root, complete.replaceAll(/\b(type )?TruncatedTools?, |, (type )?TruncatedTools?\b/g, ''));
    const { errorsIn } = await compile({ 'spelt-out.ts': application }, declared);
    await writeFile(root, complete);
    const declarations = await readFile(join(directory, 'spelt-out.d.ts'), 'utf8');
    expect(errorsIn('spelt-out.ts')).toEqual([]);
    expect(declarations).not.toContain('TruncatedTools');
  });
});

describe('the oldest supported version of ai', () => {
  const modules = join(packageDirectory, 'node_modules');
  const oldest = {
    typeRoots: [join(modules, '@types')],
    types: ['node'],
    paths: {
      // The file, because a folder here would silently fall back to the newest version.
      ai: [join(modules, 'ai-oldest/dist/index.d.ts')],
      'ai-truncate': [join(packageDirectory, 'src/index.ts')],
    },
  };
  const program = `
import { generateText, streamText, ToolLoopAgent, type InferAgentUIMessage, type InferUITools } from 'ai';
${application}${exactTypes}
const contextual = tool({
  inputSchema,
  contextSchema: z.object({ userId: z.string() }),
  execute: async (_input, { context }) => context.userId,
});
const stream = tool({ inputSchema, execute: async () => new ReadableStream<Uint8Array>() });
const more = truncateToolOutputs({ contextual, stream }, { store: memoryStore(), scope: () => 'chat-1', hint: () => ({ read: 'Read' }) });
const isText: Equal<InferUITools<typeof more>['stream']['output'], string | TruncatedOutput> = true;
const call = { model: 'openai/gpt-5-mini', tools: more, prompt: '' };
const toolsContext = { contextual: { userId: 'user-1' } };
for (const part of (await generateText({ ...call, toolsContext })).toolResults) {
  if (!part.dynamic && part.toolName === 'contextual') {
    const isNarrowed: Equal<typeof part.output, string | TruncatedOutput> = true;
  }
}
streamText({ ...call, toolsContext });
// @ts-expect-error
streamText(call);
const agent = new ToolLoopAgent({ model: call.model, tools });
export function render(message: InferAgentUIMessage<typeof agent>): void {
  for (const part of message.parts) {
    if (part.type === 'tool-getWeather' && part.state === 'output-available') part.output satisfies string;
  }
}
// @ts-expect-error
truncateToolOutputs({ stream }, { store: memoryStore(), scope: '', perTool: { straem: false } });
`;

  let compiled: Awaited<ReturnType<typeof compile>>;
  beforeAll(async () => {
    const newer = `import { toolSearch } from 'ai';\n${program}`;
    compiled = await compile({ 'program.ts': program, 'newer.ts': newer }, oldest);
  });

  test('fits the library and its types', async () => {
    expect(compiled.errorsIn('program.ts')).toEqual([]);
    const versions = compiled.files.filter((file) => file.endsWith('/node_modules/ai/dist/index.d.ts')).map(versionOf);
    expect(await Promise.all(versions)).toEqual(['7.0.0']);
  });

  test('is distinguished from a newer version', () => {
    expect(compiled.errorsIn('newer.ts')).toEqual([expect.stringContaining(`no exported member 'toolSearch'`)]);
  });

  async function versionOf(declarations: string): Promise<unknown> {
    return JSON.parse(await readFile(join(declarations, '../../package.json'), 'utf8')).version;
  }
});
