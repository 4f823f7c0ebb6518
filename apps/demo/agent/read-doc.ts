import { tool } from 'ai';
import { z } from 'zod';
import { docsLibrary } from './docs-library';

/** Reads one page of the documentation. A path is looked up among the known pages and never opened as one. */
export const readDoc = tool({
  description: 'Reads a whole page of the documentation of the AI SDK, by a path that searchDocs gave.',
  inputSchema: z.object({ path: z.string().min(1).max(200) }),
  execute: async ({ path }): Promise<string> => {
    const page = (await docsLibrary()).get(path);
    if (page) return page.text;
    throw new Error(`There is no page "${path}". Use searchDocs to find the path of a page.`);
  },
});
