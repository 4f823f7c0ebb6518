import { hkdfSync, randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataDirectory } from './data-directory';
import { type Environment, environment } from './environment';
import { oncePerProcess } from './once-per-process';

/** What signs the cookies of visitors, and what the log of the server says of where it comes from. */
export interface SessionSecret {
  value: string;
  /** Absent when it was set. */
  notice?: string;
}

/** The secret of this process. Every process that serves the same visitors has to find the same one. */
export function sessionSecret(): SessionSecret {
  return oncePerProcess('session-secret', () =>
    // Written into the code by `next.config.ts`.
    findSecret(environment(), { directory: dataDirectory, built: process.env.BUILT_SESSION_SECRET }),
  );
}

interface SecretPlaces {
  directory: () => string;
  built: string | undefined;
}

/** The first of: what was set, what all processes of a Blob store can make, what lies on the disk, what came with the build. */
export function findSecret(
  { sessionSecret: value, blobToken, isVercel }: Environment,
  { directory, built }: SecretPlaces,
): SessionSecret {
  if (value !== undefined) return { value };
  if (blobToken !== undefined)
    return { value: derivedFrom(blobToken), notice: words('made from BLOB_READ_WRITE_TOKEN') };
  if (!isVercel) {
    const path = join(/* turbopackIgnore: true */ directory(), 'session-secret');
    return { value: keptIn(path), notice: words(`kept in ${path}`) };
  }
  // The functions of a deployment share no disk, but what was written into them when they were built.
  if (built) return { value: built, notice: words('made with this build, so the next build forgets all visitors') };
  return { value: generated(), notice: words('made by this process, so its end forgets all visitors') };
}

const words = (origin: string) =>
  `SESSION_SECRET is not set: the cookies of visitors are signed with a secret ${origin}.`;

const generated = () => randomBytes(32).toString('base64url');

/** One way: who learns this secret does not learn the token. */
function derivedFrom(token: string): string {
  const bytes = hkdfSync('sha256', token, '', 'ai-truncate demo: cookies of visitors', 32);
  return Buffer.from(bytes).toString('base64url');
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
