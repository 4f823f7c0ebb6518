import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const packageDirectory = join(import.meta.dirname, '..');
const baseConfig = join(packageDirectory, '../../tsconfig.base.json');
/** Of an application, with the package as it is built in a flat `node_modules`, as npm lays it out. */
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

/** What the compiler says, and which files it read. */
async function compile(
  program: string,
  compilerOptions: Record<string, unknown>,
): Promise<{ errors: string[]; files: string[] }> {
  await writeFile(join(directory, 'program.ts'), program);
  const config = { extends: baseConfig, compilerOptions: { types: [], ...compilerOptions }, files: ['program.ts'] };
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(config));
  const output = await promisify(execFile)('tsc', ['--project', directory, '--listFiles', '--pretty', 'false']).then(
    ({ stdout }) => stdout,
    (error: { stdout: string }) => error.stdout,
  );
  const lines = output.split('\n').filter((line) => line !== '');
  const files = lines.filter((line) => line.startsWith('/'));
  return { files, errors: lines.filter((line) => !line.startsWith('/')) };
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
  fields: (answer: InferToolOutput<typeof queryArtifact>) => answer.data.fields,
  matches: (answer: InferToolOutput<typeof grepArtifacts>) => answer.data.matches,
  entries: (answer: InferToolOutput<typeof listArtifacts>) => answer.data.entries,
  entry: (answer: InferToolOutput<typeof listArtifacts>) => answer.data.entries[0],
  error: (answer: InferToolOutput<typeof readArtifact>) => answer.error,
  stats: (answer: InferToolOutput<typeof readArtifact>) => [answer.stats, answer.context, answer.status],
  where: (query: InferToolInput<typeof queryArtifact>) => query.where?.[0],
  aggregate: (query: InferToolInput<typeof queryArtifact>) => query.aggregate?.[0],
  task: (answer: InferToolOutput<typeof task>) => [answer.data, answer.data.running, answer.data.usage],
  evidence: (answer: InferToolOutput<typeof task>) => answer.data.evidence[0],
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
declare const page: InferToolOutput<typeof tools.readArtifact>;
const isPageExact: Equal<typeof page.data.content, string> = true;
// @ts-expect-error
page.data.content satisfies number;
`;

describe('a set of tools in an application', () => {
  /** Flat: without it the compiler looks behind the links, where pnpm keeps every package to itself. */
  const installed = { preserveSymlinks: true, lib: ['es2023', 'dom', 'dom.iterable'] };
  const declared = { ...installed, noEmit: false, declaration: true, emitDeclarationOnly: true };

  it('can be exported with its types', async () => {
    const { errors, files } = await compile(application, declared);
    expect(errors).toEqual([]);
    expect(files).toContain(join(directory, 'node_modules/ai-truncate/dist/index.d.ts'));
    const declarations = await readFile(join(directory, 'program.d.ts'), 'utf8');
    expect(declarations).toContain('import("ai-truncate").TruncatedTools<');
    expect(declarations).toContain('import("ai-truncate").AddedTools<');
  });

  it('lets an application export whatever its readers ask and answer', async () => {
    const { errors } = await compile(application + partsOfAnswers, declared);
    expect(errors).toEqual([]);
  });

  it('whose names are ours is refused, and the compiler says what to do', async () => {
    const clashing = "truncateToolOutputs({ readArtifact: readLogs }, { store: memoryStore(), scope: 'chat-1' });";
    const { errors } = await compile(application + clashing, installed);
    expect(errors.join('\n')).toContain(
      "'readArtifact' is already one of your tools: rename it, or leave ours out with 'readers'",
    );
  });

  it('would spell its types out if the root entry did not export their names', async () => {
    const root = join(directory, 'node_modules/ai-truncate/dist/index.d.ts');
    const complete = await readFile(root, 'utf8');
    await writeFile(root, complete.replaceAll(/\b(type )?TruncatedTools?, |, (type )?TruncatedTools?\b/g, ''));
    const { errors } = await compile(application, declared);
    await writeFile(root, complete);
    const declarations = await readFile(join(directory, 'program.d.ts'), 'utf8');
    expect(errors).toEqual([]);
    expect(declarations).not.toContain('TruncatedTools');
  });

  it('has exact types with those of the browser, and with neither those of the browser nor those of Node', async () => {
    const browser = await compile(application + exactTypes, installed);
    expect(browser.errors).toEqual([]);
    const bare = await compile(application + exactTypes, { ...installed, lib: ['es2023'] });
    expect(bare.errors).toEqual([]);
    expect(bare.files.filter((file) => /lib\.dom|@types\/node/.test(file))).toEqual([]);
  });
});

describe('the oldest supported version of ai', () => {
  const modules = join(packageDirectory, 'node_modules');
  const oldest = {
    typeRoots: [join(modules, '@types')],
    types: ['node'],
    paths: {
      // The file: a folder here falls back to the newest version without a word.
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
const more = truncateToolOutputs({ contextual, stream }, { store: memoryStore(), scope: () => 'chat-1', canCall: () => true });
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

  it('fits the library and its types', async () => {
    const { errors, files } = await compile(program, oldest);
    expect(errors).toEqual([]);
    const versions = files.filter((file) => file.endsWith('/node_modules/ai/dist/index.d.ts')).map(versionOf);
    expect(await Promise.all(versions)).toEqual(['7.0.0']);
  });

  it('is told from a newer one', async () => {
    const { errors } = await compile(`import { toolSearch } from 'ai';\n${program}`, oldest);
    expect(errors).toEqual([expect.stringContaining(`no exported member 'toolSearch'`)]);
  });

  async function versionOf(declarations: string): Promise<unknown> {
    return JSON.parse(await readFile(join(declarations, '../../package.json'), 'utf8')).version;
  }
});
