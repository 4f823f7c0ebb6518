import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from '@playwright/test';
import { type ArtifactContent, artifactNameOf, scopedArtifacts } from '../../packages/ai-truncate/src/index.ts';
import { filesystemStore } from '../../packages/ai-truncate/src/stores/filesystem/filesystem-store.ts';
import { type DemoServer, startDemo } from './demo-server.ts';

/** A demo with a visitor who has a chat, into which a test puts outputs as tools would have. */
export interface DemoWithOutputs {
  server: DemoServer;
  chat: string;
  /** Where the outputs lie. */
  directory: string;
  /** Keeps an output and gives the address of its page. */
  keep(content: ArtifactContent, options?: { mediaType?: string }): Promise<string>;
  /** Makes a browser this visitor's. */
  enter(context: BrowserContext): Promise<void>;
  close(): Promise<void>;
}

/** Starts the demo over a directory of its own. */
export async function startDemoWithOutputs(): Promise<DemoWithOutputs> {
  const directory = await mkdtemp(join(tmpdir(), 'kept-outputs-'));
  const secret = randomBytes(32).toString('base64url');
  const visitor = randomBytes(12).toString('hex');
  const chat = randomUUID();
  const server = await startDemo({ TOOL_OUTPUT_DIR: directory, SESSION_SECRET: secret });
  const artifacts = scopedArtifacts(filesystemStore({ directory }), { scope: `${visitor}-${chat}` });
  return {
    server,
    chat,
    directory,
    async keep(content, { mediaType = 'text/plain' } = {}) {
      const { path } = await artifacts.save(content, { toolName: 'readServerLogs', toolCallId: 'call-1', mediaType });
      return `${server.url}/a/${artifactNameOf(path)}?chat=${chat}`;
    },
    async enter(context) {
      const signature = createHmac('sha256', secret).update(`visitor ${visitor}`).digest('base64url');
      await context.addCookies([{ name: 'visitor', value: `${visitor}.${signature}`, url: server.url }]);
    },
    async close() {
      await server.stop();
      await rm(directory, { recursive: true });
    },
  };
}
