import { expect, test } from '@playwright/test';
import { startBlobServer } from '../../packages/ai-truncate/fixtures/blob-server.ts';
import { chatFolderOf, conversationWith } from './conversation.ts';
import { startDemo } from './demo-server.ts';

const preload = new URL('./redirect-blob.mjs', import.meta.url).href;

/** A token like those that Vercel adds to each request. Not expired, because the client would renew it. */
function oidcToken(): string {
  const payload = { exp: Math.floor(Date.now() / 1000) + 3600, project_id: 'project', owner_id: 'owner' };
  return `head.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.signature`;
}

for (const [how, credentials] of [
  ['by a token', () => ({ BLOB_READ_WRITE_TOKEN: 'vercel_blob_rw_store_secret' })],
  ['by OIDC, as Vercel connects it', () => ({ BLOB_STORE_ID: 'store_abc', VERCEL_OIDC_TOKEN: oidcToken() })],
] as const) {
  test(`two servers without a common disk share chats and artifacts through Blob, connected ${how}`, async () => {
    const blob = await startBlobServer();
    const variables = {
      VERCEL: '1',
      ...credentials(),
      VERCEL_BLOB_API_URL: blob.apiUrl,
      BLOB_ORIGIN: blob.origin,
      NODE_OPTIONS: `--import ${preload}`,
      DEMO_LOG_MB: '3',
    };
    const [one, other] = await Promise.all([startDemo(variables), startDemo(variables)]);
    const conversation = conversationWith(one.url);
    const { text } = await conversation.say('Why did checkout fail last night?');
    const elsewhere = conversationWith(other.url, conversation.visit);
    const restored = await (await elsewhere.restore()).json();
    const second = await elsewhere.say('search for rollback');
    const { full_output_path: path, original_bytes: bytes } = restored.messages[1].parts.find(
      ({ type }: { type: string }) => type === 'tool-readServerLogs',
    ).output.data.truncation;
    const name = path.split('/').at(-1);
    const { chat, cookie } = conversation.visit;
    const address = `${other.url}/api/artifacts/${name}/raw?chat=${chat}`;
    const download = await fetch(address, { headers: { cookie } });
    const foreign = await fetch(address, { headers: { cookie: 'visitor=0' } });
    const downloaded = await download.arrayBuffer();
    await Promise.all([one.stop(), other.stop()]);
    await blob.close();

    expect(text).toContain('cut `payments.timeoutMs` from 30,000 to 300 ms');
    expect(restored.messages).toHaveLength(2);
    expect(second.text).toContain('rollback to deploy');
    expect(downloaded.byteLength).toBe(bytes);
    expect(foreign.status).toBe(404);
    const names = [...blob.blobs.keys()];
    const events = names.filter((each) => each.startsWith(`chats/${chatFolderOf(conversation.visit)}/`));
    expect(events.length).toBeGreaterThan(6);
    expect(blob.blobs.get(events[0] ?? '')?.access).toBe('private');
    expect(names.filter((each) => each.startsWith('tool-output/')).length).toBeGreaterThan(1);
    expect([...blob.blobs.values()].filter(({ access }) => access !== 'private')).toEqual([]);
    // The log of the service is saved once, by either server.
    expect(names.filter((each) => each.startsWith('tool-output/shared-logs/'))).toHaveLength(1);
  });
}
