import { execFile } from 'node:child_process';
import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { tool } from 'ai';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type BlobServer, startBlobServer } from '../../fixtures/blob-server.ts';
import { inTemporaryDirectory } from '../../fixtures/in-temporary-directory.ts';
import { redirectBlobHosts } from '../../fixtures/redirect-blob-hosts.ts';
import { runTool } from '../../fixtures/run-tool.ts';
import { vercelBlobStore } from '../stores/vercel-blob/vercel-blob-store.ts';
import { truncateToolOutputs } from '../tools/truncate-tool-outputs.ts';
import type { SweepBesideSaves } from './sweep-artifacts.ts';
import { sweepArtifacts } from './sweep-artifacts.ts';

const hour = 3_600_000;

describe('processes that save into one directory', () => {
  const writer = join(import.meta.dirname, '../../fixtures/filesystem-writer.ts');

  /** The outcomes of the sweeps of several processes, each with one save. */
  async function sweepsOf(processes: number, directory: string): Promise<string[]> {
    const run = () => promisify(execFile)(process.execPath, [writer, 'save and sweep', directory]);
    const results = await Promise.all(Array.from({ length: processes }, run));
    return results.flatMap(({ stdout }) => stdout.split('\n').filter(Boolean));
  }

  test('sweep it once an hour together, whether they run one after the other or at once', () =>
    inTemporaryDirectory(async (above) => {
      const directory = join(above, 'store');
      expect(await sweepsOf(1, directory)).toEqual(['done']);
      expect(await sweepsOf(1, directory)).toEqual([]);
      const old = new Date(Date.now() - 2 * hour);
      await utimes(join(directory, '.last-sweep'), old, old);
      expect(await sweepsOf(3, directory)).toEqual(['done']);
      expect(await sweepsOf(2, directory)).toEqual([]);
      expect((await readdir(directory)).toSorted()).toEqual(['.gitignore', '.last-sweep', 'folder']);
    }));
});

describe('instances of a function that save into a Blob store', () => {
  let server: BlobServer;
  let restoreHosts: () => void;

  beforeEach(async () => {
    server = await startBlobServer();
    restoreHosts = redirectBlobHosts(server.origin);
    vi.stubEnv('VERCEL_BLOB_API_URL', server.apiUrl);
    vi.stubEnv('BLOB_READ_WRITE_TOKEN', 'vercel_blob_rw_store_secret');
  });

  afterEach(async () => {
    restoreHosts();
    await server.close();
    vi.unstubAllEnvs();
  });

  /** Makes everything again, like after a cold start. */
  async function coldCall(options: SweepBesideSaves = {}): Promise<void> {
    const read = tool({ inputSchema: z.object({}), execute: () => 'line\n'.repeat(3000) });
    const tools = truncateToolOutputs({ read }, { store: vercelBlobStore(), scope: 'chat-1', ...options });
    await runTool(tools, { toolName: 'read' });
  }

  const lists = () => server.requests.filter(({ operation }) => operation === 'list').length;

  test('send no list request during their saves', async () => {
    for (let instance = 0; instance < 5; instance++) await coldCall();
    expect([server.blobs.size, lists()]).toEqual([10, 0]);
  });

  test("list the store with `sweep: 'hourly'`, and failures reach the listener", async () => {
    server.fail('list', { kind: 'status', status: 400, code: 'bad_request' });
    const onSweep = vi.fn();
    await coldCall({ sweep: 'hourly', onSweep });
    await vi.waitFor(() => expect(onSweep).toHaveBeenCalledOnce());
    expect(onSweep.mock.calls[0]?.[0]).toMatchObject({ status: 'failed' });
    expect(lists()).toBe(1);
  });

  test('are swept by a cron job', async () => {
    await coldCall();
    expect(await sweepArtifacts(vercelBlobStore())).toMatchObject({ examined: 1, deletedArtifacts: 0 });
    expect(lists()).toBe(1);
  });
});
