import { hkdfSync, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { ArtifactStore } from 'ai-truncate/store';
import { vercelBlobStore } from 'ai-truncate/vercel-blob';
import { dataDirectory } from './data-directory';
import { type Environment, environment } from './environment';
import { oncePerProcess } from './once-per-process';

/** What signs the cookies of visitors, and what the log of the server says of where it comes from. */
export interface SessionSecret {
  /** Rejects when it is in a store that does not answer. */
  read(): Promise<string>;
  /** Absent when it was set. */
  notice?: string;
}

/** The secret of this process. Every process that serves the same visitors has to find the same one. */
export function sessionSecret(): SessionSecret {
  return oncePerProcess('session-secret', () =>
    // Written into the code by `next.config.ts`.
    findSecret(environment(), {
      directory: dataDirectory,
      built: process.env.BUILT_SESSION_SECRET,
      blobStore: () => vercelBlobStore({ prefix: 'secrets/' }),
    }),
  );
}

interface SecretPlaces {
  directory: () => string;
  built: string | undefined;
  blobStore: () => ArtifactStore;
}

/**
 * The first of: the value that was set, the one that all processes of a Blob store derive from its token, the one saved in that
 * store, the one on the disk, the one that came with the build.
 */
export function findSecret(
  { sessionSecret, blob, isVercel }: Environment,
  { directory, built, blobStore }: SecretPlaces,
): SessionSecret {
  if (sessionSecret !== undefined) return known(sessionSecret);
  if (blob?.token !== undefined) return known(derivedFrom(blob.token), 'made from BLOB_READ_WRITE_TOKEN');
  // Each request has another OIDC token, so no secret can be derived from it.
  if (blob) return { read: () => savedIn(blobStore()), notice: words('saved in the Blob store') };
  if (!isVercel) {
    const path = join(/* turbopackIgnore: true */ directory(), 'session-secret');
    return known(keptIn(path), `kept in ${path}`);
  }
  // The functions of a deployment share no disk, but what was written into them when they were built.
  if (built) return known(built, 'made with this build, so the next build forgets all visitors');
  return known(generated(), 'made by this process, so its end forgets all visitors');
}

function known(value: string, origin?: string): SessionSecret {
  return { read: async () => value, ...(origin !== undefined && { notice: words(origin) }) };
}

const words = (origin: string) =>
  `SESSION_SECRET is not set: the cookies of visitors are signed with a secret ${origin}.`;

const generated = () => randomBytes(32).toString('base64url');

/** One way: who learns this secret does not learn the token. */
function derivedFrom(token: string): string {
  const bytes = hkdfSync('sha256', token, '', 'ai-truncate demo: cookies of visitors', 32);
  return Buffer.from(bytes).toString('base64url');
}

const STORED_KEY = 'session/secret';

/** If two instances save a secret at once, both use the first, because a value in a store never changes. */
async function savedIn(store: ArtifactStore): Promise<string> {
  const read = async () => {
    const stream = await store.get(STORED_KEY);
    return stream && (await text(stream));
  };
  const before = await read();
  if (before) return before;
  const value = generated();
  try {
    await store.put(STORED_KEY, onlyChunk(value), { contentType: 'text/plain; charset=utf-8' });
    return value;
  } catch (error) {
    const first = await read();
    if (first) return first;
    throw error;
  }
}

async function* onlyChunk(value: string): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  yield new TextEncoder().encode(value);
}

/** Of two processes that start at once the first one's is kept: a link to a whole file is made by one of them only. */
function keptIn(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (!isCode(error, 'ENOENT')) throw error;
  }
  mkdirSync(join(/* turbopackIgnore: true */ path, '..'), { recursive: true, mode: 0o700 });
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, generated(), { mode: 0o600 });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error;
  } finally {
    unlinkSync(draft);
  }
  return readFileSync(path, 'utf8');
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
