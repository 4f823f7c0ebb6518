import { tool } from 'ai';
import { z } from 'zod';
import { runShippingTests, testedFile } from './shipping-tests';
import { toStream } from './text-stream';
import type { Workspace } from './workspace';

/** Runs the tests of the workspace and hands out what they print, as a command would: text, colours, an exit status. */
export const runTestsTool = (workspace: Workspace) =>
  tool({
    description: `Runs the tests of the workspace, which check ${testedFile}. Gives what the test runner prints; its last line is the exit status.`,
    inputSchema: z.object({}),
    execute: () => toStream(runShippingTests(workspace.read(testedFile))),
  });
