// Compiles every TypeScript example of the documentation against the packed library, as strict applications would: from the oldest
// to the newest TypeScript that the library supports, and with both ways to resolve a package's entries.
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Every version is installed under its own name. */
const compilers = { 'typescript-5.8': '5.8.3', 'typescript-6.0': '6.0.3', 'typescript-7.0': '7.0.2' };

/** Packages that the examples import besides `ai`, `zod` and `@ai-sdk/openai`. */
export const exampleImports = ['@ai-sdk/mcp', '@vercel/blob', 'files-sdk', 'vitest', '@types/node'];

/** The compilers, and packages of the examples that the library does not depend on. */
export const examplePackages = [
  ...Object.entries(compilers).map(([name, version]) => `${name}@npm:typescript@${version}`),
  'hono@4',
  '@opentelemetry/api@1',
];

/** An edge application has no browser types; an application with pages does. */
const settings = [
  { module: 'node16', moduleResolution: 'node16', lib: ['es2023'] },
  { module: 'esnext', moduleResolution: 'bundler', lib: ['es2023', 'dom', 'dom.iterable'] },
];

/** Programs that no page shows. @type {Record<string, string>} */
const programs = {
  'options-that-may-be-undefined': `import * as library from 'ai-truncate';
import { truncationOptionsFromEnv } from 'ai-truncate/config';
import { checkEvidence } from 'ai-truncate/extras';
import { filesSdkStore } from 'ai-truncate/files-sdk';
import { filesystemStore } from 'ai-truncate/filesystem';
import { createArtifactHandler } from 'ai-truncate/http';
import { artifactStoreContract } from 'ai-truncate/testing';
import { vercelBlobStore } from 'ai-truncate/vercel-blob';

const { directory, ...fromEnvironment } = truncationOptionsFromEnv(process.env);
const store = filesystemStore({ directory });
const _ = undefined;
const limits = { maxLines: _, maxBytes: _, maxChars: _, previewBytes: _, previewChars: _, keep: _, salient: _ };
const saving = { maxArtifactBytes: _, retentionDays: _, sweep: _, onSweep: _ };
const storage = { store, scope: 'chat-17', ...saving, saveTimeoutMs: _, onTruncate: _, onOutput: _ };
const helper = { description: 'Helps.', useWhen: _, timeoutMs: _, run: async () => ({ conclusion: '', usage: _, steps: _ }) };
const model = 'openai/gpt-5-mini';
const budget = { maxSteps: _, maxScanBytes: _, maxOutputTokens: _, timeoutMs: _ };
const explore = { model, ...budget, instructions: _, providerOptions: _, telemetry: _ };
const artifacts = library.scopedArtifacts(store, { scope: 'chat-17', ...saving });
library.truncateToolOutputs({}, { ...storage, ...limits, allowSkip: _, hint: _, perTool: _, readers: _, explore: _, agents: _, onTask: _ });
library.truncateToolOutputs({}, { ...storage, ...fromEnvironment, explore, agents: { helper } });
void library.truncateOutput('', { ...storage, ...limits, toolName: '', toolCallId: '', hint: _, input: _, abortSignal: _ });
library.truncateText('', { maxLines: _, maxBytes: _, keep: _ });
library.truncateToolResultsMiddleware({ ...limits, repeatable: _, openAiTools: _, onTruncate: _ });
void library.boundMessages([], { store, scope: 'chat-17', ...saving, saveTimeoutMs: _, maxTokens: 1000, targetTokens: _, keepSteps: _, minTokens: _, neverEvict: _, hint: _, redact: _, countTokens: _, onEvict: _, abortSignal: _ });
library.createTaskTool({ store, scope: 'chat-17', ...saving, agents: { helper }, allowed: _, onTask: _ });
library.exploreAgent(explore);
library.summarize({ model, triggerChars: _, maxInputChars: _, maxChars: _, timeoutMs: _, onSummary: _ });
void library.sweepArtifacts(store, { retentionDays: _, maxDeletes: _, maxMs: _, after: _, abortSignal: _ });
void artifacts.readLines('', { start: _, count: _, maxBytes: _, maxLineBytes: _, abortSignal: _ });
void artifacts.readBytes('', { start: _, end: _, abortSignal: _ });
void artifacts.save('', { toolName: '', toolCallId: '', mediaType: _, abortSignal: _ });
void checkEvidence(artifacts, [], { abortSignal: _, onChecked: _, deadlineMs: _, maxBytes: _ });
library.memoryStore({ maxBytes: _ });
vercelBlobStore({ prefix: _, token: _, timeoutMs: _ });
filesSdkStore({} as Parameters<typeof filesSdkStore>[0], { prefix: _, timeoutMs: _ });
createArtifactHandler({ store, authorize: () => 'chat-17', onError: _ });
artifactStoreContract({ open: () => store, cannot: _ });
`,
  'bytes-for-the-platform': `import type { Artifacts } from 'ai-truncate';
export async function serve(artifacts: Artifacts, path: string): Promise<Response[]> {
  const { bytes } = await artifacts.readBytes(path);
  const stream = await artifacts.readStream(path);
  return [new Response(bytes), new Response(stream.pipeThrough(new CompressionStream('gzip'))), new Response(new Blob([bytes]))];
}
`,
};

/**
 * @param {{ project: string, pages: string[] }} options `project` has the packed library and all packages installed.
 */
export async function compileDocumentedExamples({ project, pages }) {
  const folder = join(project, 'examples');
  mkdirSync(folder);
  const examples = { ...programs, ...Object.fromEntries(pages.flatMap(examplesOf)) };
  for (const [name, code] of Object.entries(examples)) writeFileSync(join(folder, `${name}.ts`), code);

  for (const compiler of Object.keys(compilers)) {
    await Promise.all(settings.map((setting) => compile({ project, compiler, setting })));
  }
  const versions = Object.values(compilers).join(', ');
  console.log(`${Object.keys(examples).length} documented examples compile with TypeScript ${versions}.`);
}

/** @param {string} page */
function examplesOf(page) {
  const blocks = [...readFileSync(page, 'utf8').matchAll(/^```tsx?\n(.*?)^```$/gms)];
  const name = page.replaceAll(/[^\w.]+/g, '-').replace(/^-+/, '');
  return blocks.map(([, code], index) => [`${name}-${index + 1}`, `${code}\nexport {};\n`]);
}

/** @param {{ project: string, compiler: string, setting: typeof settings[number] }} options */
async function compile({ project, compiler, setting }) {
  const config = join(project, `tsconfig.${compiler}.${setting.moduleResolution}.json`);
  const strictly = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
  const compilerOptions = {
    ...setting,
    ...strictly,
    target: 'es2023',
    types: ['node'],
    noEmit: true,
    skipLibCheck: true,
  };
  writeFileSync(config, JSON.stringify({ compilerOptions, include: ['examples'] }));
  const manifest = JSON.parse(readFileSync(join(project, 'node_modules', compiler, 'package.json'), 'utf8'));
  const command = join(project, 'node_modules', compiler, manifest.bin.tsc);
  try {
    await promisify(execFile)(process.execPath, [command, '--project', config]);
  } catch (error) {
    const { stdout = '' } = /** @type {{ stdout?: string }} */ (error);
    const where = `${compiler} with moduleResolution ${setting.moduleResolution}`;
    throw new Error(`A documented example does not compile with ${where}:\n${stdout}`, { cause: error });
  }
}

/**
 * All pages with examples.
 *
 * @param {string} root
 */
export function documentedPages(root) {
  const docs = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md'));
  return ['README.md', 'packages/ai-truncate/README.md', ...docs.map((name) => `docs/${name}`)].map((page) =>
    join(root, page),
  );
}
