import { randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { ArtifactStore } from 'ai-truncate/store';
import type { ChatEvent } from './chat-event';
import type { ChatLog } from './chat-log';
import { fromLine, toLine } from './event-line';

/** Far more than a chat takes, so that a folder that something else filled is not read to its end. */
const MAX_EVENTS = 10_000;
const READS_AT_ONCE = 16;
/** What a store takes in one request. */
const DELETES_AT_ONCE = 1_000;

/**
 * Chats in a store whose values never change, such as Vercel Blob: one value for each event, whose name says when it happened,
 * so that the listing has them in order.
 */
export function chatLogInStore(store: ArtifactStore): ChatLog {
  let lastMs = 0;
  /** Ascends within this process also when its clock does not. */
  const nextTime = () => {
    lastMs = Math.max(Date.now(), lastMs + 1);
    return String(lastMs).padStart(15, '0');
  };

  return {
    async read(chatKey) {
      const keys = await keysOf(store, chatKey);
      if (keys.length === 0) return undefined;
      const events: (ChatEvent | undefined)[] = [];
      for (let start = 0; start < keys.length; start += READS_AT_ONCE) {
        events.push(
          ...(await Promise.all(keys.slice(start, start + READS_AT_ONCE).map((key) => readEvent(store, key)))),
        );
      }
      return events.filter((event) => event !== undefined);
    },
    async append(chatKey, events) {
      if (events.length === 0) return;
      const writes = events.map((event) => {
        const key = `${chatKey}/${nextTime()}-${randomBytes(6).toString('hex')}.json`;
        return store.put(key, bytesOf(toLine(event)), { contentType: 'application/json' });
      });
      await Promise.all(writes);
    },
    async delete(chatKey) {
      const keys: string[] = [];
      for await (const { key } of store.list(`${chatKey}/`)) {
        keys.push(key);
        if (keys.length === DELETES_AT_ONCE) await store.delete(keys.splice(0));
      }
      if (keys.length > 0) await store.delete(keys);
    },
  };
}

async function keysOf(store: ArtifactStore, chatKey: string): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key } of store.list(`${chatKey}/`)) {
    keys.push(key);
    if (keys.length === MAX_EVENTS) break;
  }
  return keys.sort();
}

async function readEvent(store: ArtifactStore, key: string): Promise<ChatEvent | undefined> {
  const stream = await store.get(key);
  return stream && fromLine(await text(stream));
}

async function* bytesOf(line: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield new TextEncoder().encode(line);
}
