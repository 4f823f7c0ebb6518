import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { telemetryApi } from '../fixtures/telemetry-api.ts';

const packageDirectory = join(import.meta.dirname, '..');
const rootDirectory = join(packageDirectory, '../..');
let directory = '';

beforeAll(async () => {
  // Inside the package, so that the examples find its dependencies.
  directory = await mkdtemp(join(packageDirectory, 'node_modules', 'examples-'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

async function examplesOf(page: string): Promise<string[]> {
  const text = await readFile(page, 'utf8');
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map((block) => block[1] ?? '');
}

/** What the compiler says of these programs; nothing when it is content. */
async function compile(examples: string[], lib: string[]): Promise<string> {
  await Promise.all(
    examples.map((example, index) => writeFile(join(directory, `example-${index}.ts`), `${example}\nexport {};\n`)),
  );
  const paths = {
    'ai-truncate': [join(packageDirectory, 'src/index.ts')],
    'ai-truncate/filesystem': [join(packageDirectory, 'src/stores/filesystem/filesystem-store.ts')],
    'ai-truncate/vercel-blob': [join(packageDirectory, 'src/stores/vercel-blob/vercel-blob-store.ts')],
    'ai-truncate/files-sdk': [join(packageDirectory, 'src/stores/files-sdk/files-sdk-store.ts')],
    'ai-truncate/http': [join(packageDirectory, 'src/http.ts')],
    // No dependency of ours: brought by others, and hoisted.
    hono: [join(rootDirectory, 'node_modules/.pnpm/node_modules/hono')],
    'ai-truncate/config': [join(packageDirectory, 'src/config.ts')],
    'ai-truncate/protocol': [join(packageDirectory, 'src/protocol.ts')],
    'ai-truncate/ui': [join(packageDirectory, 'src/ui.ts')],
    'ai-truncate/testing': [join(packageDirectory, 'src/stores/artifact-store-contract.ts')],
    '@opentelemetry/api': [telemetryApi().types],
  };
  const config = {
    extends: join(rootDirectory, 'tsconfig.base.json'),
    compilerOptions: { paths, types: ['node'], lib },
    include: ['example-*.ts'],
  };
  await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(config));
  return promisify(execFile)('tsc', ['--project', directory]).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
}

const bytesForThePlatform = `import type { Artifacts } from 'ai-truncate';
export async function serve(artifacts: Artifacts, path: string): Promise<Response[]> {
  const { bytes } = await artifacts.readBytes(path);
  const stream = await artifacts.readStream(path);
  return [new Response(bytes), new Response(stream.pipeThrough(new CompressionStream('gzip'))), new Response(new Blob([bytes]))];
}
`;

describe('the code in the documents', () => {
  it('compiles against the library as it is', async () => {
    const docs = (await readdir(join(rootDirectory, 'docs'))).map((name) => join(rootDirectory, 'docs', name));
    const pages = [join(rootDirectory, 'README.md'), join(packageDirectory, 'README.md'), ...docs];
    const examples = (await Promise.all(pages.map(examplesOf))).flat();
    expect(examples.length).toBeGreaterThanOrEqual(3);
    expect(await compile(examples, ['es2023'])).toBe('');
    // As in an application with pages, where streams and bytes have the types of the browser.
    expect(await compile([...examples, bytesForThePlatform], ['es2023', 'dom', 'dom.iterable'])).toBe('');
  });

  it('would not compile with a name that does not exist', async () => {
    const misspelt = `import { truncateTexts } from 'ai-truncate';\ntruncateTexts('');`;
    expect(await compile([misspelt], ['es2023'])).toContain('truncateTexts');
  });
});
