// Compiles every TypeScript example of the documentation against the packed library, as strict applications would: from the oldest
// to the newest TypeScript that the library supports, and with both ways to resolve a package's entries.
import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Installed beside each other under names of their own. */
const compilers = { 'typescript-5.8': '5.8.3', 'typescript-6.0': '6.0.3', 'typescript-7.0': '7.0.2' };

/** What the examples import, beside `ai`, `zod` and `@ai-sdk/openai`. */
export const exampleImports = ['@ai-sdk/mcp', '@vercel/blob', 'files-sdk', 'vitest', '@types/node'];

/** What npm installs for the compilers, and what the examples import that the library does not depend on. */
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

/** @type {Record<string, string>} */
const programs = {
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
