import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { temporaryHome } from '../../../fixtures/filesystem-home.ts';
import { runTool, truncatedOf } from '../../../fixtures/run-tool.ts';
import { logTruncation } from '../../extras/log-truncation.ts';
import { scopedArtifacts } from '../../index.ts';
import { truncateToolOutputs } from '../../tools/truncate-tool-outputs.ts';
import { filesystemStore } from './filesystem-store.ts';

const inputSchema = z.object({});
const log = 'a line\n'.repeat(3000);
const readLogs = tool({ inputSchema, execute: () => log });
const scope = 'chat-1';

describe('a store outside of the working directory', () => {
  test('shows no absolute path to the model, the UI, listeners and logs', async () => {
    const home = temporaryHome();
    const seen: unknown[] = [];
    const see = (event: unknown) => void seen.push(event);
    const onTruncate = [see, logTruncation({ info: see, warn: see })];
    const store = filesystemStore({ directory: join(home, 'out') });
    const { output, sent } = await runTool(truncateToolOutputs({ readLogs }, { store, scope, onTruncate }));
    expect(seen).toHaveLength(2);
    expect(inspect([output, sent, seen], { depth: 20 })).not.toContain(home);
    const path = truncatedOf(output).data.truncation.full_output_path ?? '';
    expect(path).toMatch(/^tool-output\/tool_\w+_read-logs_/);
    const artifacts = scopedArtifacts(store, { scope });
    const { name } = await artifacts.info(path);
    expect(await artifacts.info(join(home, 'out', scope, name))).toMatchObject({ path });
  });

  test('shows it if that is wanted, and still finds the artifact by it', async () => {
    const directory = join(temporaryHome(), 'out');
    const store = filesystemStore({ directory, showAbsolutePaths: true });
    const { output } = await runTool(truncateToolOutputs({ readLogs }, { store, scope }));
    const path = truncatedOf(output).data.truncation.full_output_path ?? '';
    expect(path).toContain(`${directory}/${scope}/`);
    expect(await scopedArtifacts(store, { scope }).info(path)).toMatchObject({ path });
  });
});

/** Obstacles for the store, each with the code of its error. */
const obstacles: Record<string, { code: string; put: (home: string) => Promise<unknown> }> = {
  'a file in place of the directory': { code: 'EEXIST', put: (home) => writeFile(join(home, 'out'), 'x') },
  'a file in place of a folder above': { code: 'ENOTDIR', put: (home) => writeFile(join(home, 'data'), 'x') },
  'a link in place of the directory': {
    code: 'UNSAFE_DIRECTORY',
    put: async (home) => {
      await mkdir(join(home, 'other'));
      await symlink(join(home, 'other'), join(home, 'out'));
    },
  },
  'another file in the directory': {
    code: 'UNSAFE_DIRECTORY',
    put: async (home) => {
      await mkdir(join(home, 'out'));
      await writeFile(join(home, 'out/other.txt'), 'x');
    },
  },
  'a file in place of the folder of a scope': {
    code: 'UNSAFE_DIRECTORY',
    put: async (home) => {
      await mkdir(join(home, 'out'), { mode: 0o700 });
      await writeFile(join(home, 'out/.gitignore'), '*');
      await writeFile(join(home, 'out', scope), 'x');
      await chmod(join(home, 'out'), 0o700);
    },
  },
};

/** The text of an error with everything that a log prints, but without the places in the code. */
function printed(error: unknown): string {
  return inspect(error, { depth: 20, showHidden: true }).replace(/^ +at .*$/gm, '');
}

describe.each(Object.entries(obstacles))('an error because of %s', (what, { code, put }) => {
  const within = what.includes('above') ? 'data/out' : 'out';

  async function errorsOf(showAbsolutePaths: boolean) {
    const home = temporaryHome();
    await put(home);
    const store = filesystemStore({ directory: join(home, within), showAbsolutePaths });
    const artifacts = scopedArtifacts(store, { scope });
    const error: unknown = await artifacts.save(log, { toolName: 'a', toolCallId: 'b' }).catch((cause) => cause);
    return { home, error };
  }

  test('names no absolute path', async () => {
    const { home, error } = await errorsOf(false);
    expect(error).toMatchObject({ code });
    expect(printed(error)).not.toContain(home);
  });

  test('names it if that is wanted', async () => {
    const { home, error } = await errorsOf(true);
    expect(printed(error)).toContain(home);
  });
});
