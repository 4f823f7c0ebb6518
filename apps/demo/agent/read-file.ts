import { tool } from 'ai';
import { z } from 'zod';
import type { Workspace } from './workspace';

/** Reads a file of the workspace. */
export const readFileTool = (workspace: Workspace) =>
  tool({
    description: `Reads a whole file of the workspace. There are: ${workspace.paths().join(', ')}.`,
    inputSchema: z.object({ path: z.string().min(1).max(200) }),
    execute: ({ path }): string => {
      const text = workspace.read(path);
      if (text !== undefined) return text;
      throw new Error(`There is no file "${path}" in the workspace. There are: ${workspace.paths().join(', ')}.`);
    },
  });
