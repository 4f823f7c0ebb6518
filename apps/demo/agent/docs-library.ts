import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { oncePerProcess } from '../lib/once-per-process';

/** One page of the documentation that is installed with the `ai` package. */
export interface DocsPage {
  /** POSIX, relative to the folder of the documentation. */
  path: string;
  title: string;
  text: string;
}

/** The pages by their path. Read once: they are those of the installed version, about 3 MB, and do not change. */
export function docsLibrary(): Promise<ReadonlyMap<string, DocsPage>> {
  return oncePerProcess('docs-library', readPages);
}

async function readPages(): Promise<ReadonlyMap<string, DocsPage>> {
  // Beside the running server, not beside this file: that is in a bundle. `next.config.ts` has it deployed.
  const folder = join(/* turbopackIgnore: true */ process.cwd(), 'node_modules', 'ai', 'docs');
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.mdx')).sort();
  const pages = await Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      const path = name.replaceAll('\\', '/');
      return { path, title: text.match(/^title: *(.+)$/m)?.[1]?.trim() ?? path, text };
    }),
  );
  return new Map(pages.map((page) => [page.path, page]));
}
