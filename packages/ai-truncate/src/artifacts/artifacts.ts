import { AiTruncateError } from '../errors.ts';
import { requireOption } from '../options.ts';
import type { ArtifactContent } from './artifact-content.ts';

/** The metadata of an artifact. */
export interface ArtifactInfo {
  /** The path by which models and people name it. */
  path: string;
  /** The last part of the path. */
  name: string;
  /** The tool in the form of the file name, short and in lower case: `read-server-logs`. `list` has it too. */
  tool: string;
  /** The name of the tool in the tool set: `readServerLogs`. */
  toolName: string;
  /** The id of the call, as the model wrote it. */
  toolCallId: string;
  mediaType: string;
  bytes: number;
  /** The number of items in `split('\n')`; for the output of a tool that is a value, in its text view. */
  lines: number;
  /** Present when lines are the lines of a text view: JSON whose strings are decoded in lines and searches. */
  hasTextView?: true;
  /** The number of secrets of each kind that were replaced before the save. Absent if there were none. */
  redacted?: Readonly<Record<string, number>>;
  createdAt: Date;
  /** After this time, it may be deleted. */
  expiresAt: Date;
}

export interface SaveOptions {
  toolName: string;
  toolCallId: string;
  /** Determines the extension: `.json`, `.txt` for other text (XML, YAML, code …), `.bin` for the rest. @default 'text/plain' */
  mediaType?: string | undefined;
  /** The number of replaced secrets of each kind in the content. It is read after the content. @default none */
  redacted?: Readonly<Record<string, number>> | undefined;
  abortSignal?: AbortSignal | undefined;
}

/** An artifact in a list. Nothing of the artifact is read for it. */
export interface ListedArtifact extends Pick<ArtifactInfo, 'path' | 'name' | 'tool' | 'bytes'> {
  /** To the second. */
  createdAt: Date;
  /** For the option `cursor` of `list`: the place where a later call continues, even if this artifact was deleted. */
  cursor: string;
}

/** The number and size of the artifacts of a scope. */
export interface ArtifactUsage {
  count: number;
  /** Without the side-cars, which have at most 32 KB each. */
  bytes: number;
}

export interface ReadOptions {
  abortSignal?: AbortSignal | undefined;
}

export interface ListArtifactsOptions extends ReadOptions {
  /** The `cursor` of an artifact. The list continues after it. @default starts with the newest artifact */
  cursor?: string | undefined;
}

export interface ReadLinesOptions extends ReadOptions {
  /** The first line, counted from 1. A negative number counts from the end: -20 for the last 20 lines. @default 1 */
  start?: number | undefined;
  /** At most 10,000. @default 100 */
  count?: number | undefined;
  /** The most bytes of the window, up to 8 MiB; its first line is always shown. @default 1048576 (1 MiB) */
  maxBytes?: number | undefined;
  /** The most bytes to show of one line. @default maxBytes */
  maxLineBytes?: number | undefined;
}

export interface ReadBytesOptions extends ReadOptions {
  /** The first byte, counted from 0. @default 0 */
  start?: number | undefined;
  /** The byte after the last one; more than 8 MiB after the first is cut to that. @default 1 MiB after the first */
  end?: number | undefined;
}

export interface ReadStreamOptions extends ReadOptions {
  /** The first byte, counted from 0. @default 0 */
  start?: number | undefined;
  /** The byte after the last one. @default the end */
  end?: number | undefined;
}

/** Some lines of an artifact. */
export interface LineWindow {
  lines: ArtifactLine[];
  /** Lines of the whole artifact. */
  totalLines: number;
  /** The start of the next window; absent at the end. */
  nextLine?: number;
}

export interface ArtifactLine {
  /** Counted from 1. */
  number: number;
  /** The line without its newline. It is cut if the line has more bytes than the window may have. */
  text: string;
  /** The byte at which it starts. */
  start: number;
  /** The bytes of the whole line, without its newline. */
  bytes: number;
  /** The number of bytes in `text`. If it is less than `bytes`, `readBytes` continues at `start + shownBytes`. */
  shownBytes: number;
}

/** Some bytes of an artifact. */
export interface ByteWindow {
  bytes: Uint8Array<ArrayBuffer>;
  /** The first byte, counted from 0. */
  start: number;
  /** The byte after the last one, at which the next window starts. */
  end: number;
  /** Bytes of the whole artifact. */
  totalBytes: number;
}

/** The artifacts of one owner. No path, guess or forged name reaches artifacts of another owner. */
export interface Artifacts {
  /**
   * Saves a complete tool output. When it resolves, the artifact under the path is complete. It rejects, and leaves nothing, if
   * the content or the store fails, the signal aborts, or the content is larger than an artifact may be.
   */
  save(content: ArtifactContent, options: SaveOptions): Promise<ArtifactInfo>;
  /**
   * The metadata of an artifact. Like all methods that read, it accepts the path, the name or the random part of the name, and
   * rejects with an `ArtifactNotFoundError` if there is no such artifact.
   */
  info(path: string, options?: ReadOptions): Promise<ArtifactInfo>;
  /**
   * Every artifact of the scope, newest first, however many there are. The first artifact needs one listing of the store. Each
   * further thousand after the first needs another one.
   *
   * @example
   * for await (const { path, cursor } of artifacts.list({ cursor: lastSeen })) console.log(path);
   */
  list(options?: ListArtifactsOptions): AsyncIterable<ListedArtifact>;
  /** How many artifacts the scope has, and their bytes, e.g. for a quota. It lists the scope. */
  usage(options?: ReadOptions): Promise<ArtifactUsage>;
  /**
   * Reads lines anywhere in the artifact, at the cost of about their own bytes. `nextLine` of the answer says where to
   * continue.
   */
  readLines(path: string, options?: ReadLinesOptions): Promise<LineWindow>;
  /**
   * Reads bytes. Continue at `end` of the answer. In text, both ends are at borders of code points, so that windows join. A
   * window that is smaller than a code point contains the whole code point.
   */
  readBytes(path: string, options?: ReadBytesOptions): Promise<ByteWindow>;
  /** The exact bytes, all or a range, as a stream. A caller that does not read to the end must cancel it. */
  readStream(path: string, options?: ReadStreamOptions): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  /** Deletes one artifact. Returns whether it existed. A missing artifact is not an error. */
  delete(path: string, options?: ReadOptions): Promise<boolean>;
  /** Deletes all artifacts of the scope, e.g. with the chat or the account, and returns their number. Saves must have ended. */
  deleteAll(options?: ReadOptions): Promise<number>;
}

/** Throws unless the value has the methods to find and read artifacts. */
export function requireArtifacts(artifacts: unknown): void {
  const { info, list, readLines } = Object(artifacts) as Partial<Artifacts>;
  const isRight = [info, list, readLines].every((method) => typeof method === 'function');
  const expected = 'the result of `scopedArtifacts(store, { scope })`';
  requireOption(isRight, { option: 'artifacts', value: artifacts, expected });
}

/** There is no such artifact in this scope. The error does not reveal whether another scope has it. */
export class ArtifactNotFoundError extends AiTruncateError {
  constructor(path: unknown) {
    const text = typeof path === 'string' ? path : `a value of type ${typeof path}`;
    const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
    super(`There is no artifact \`${shown}\` here: it was deleted, it expired, or the path is wrong.`, {
      code: 'ARTIFACT_NOT_FOUND',
    });
    this.name = 'ArtifactNotFoundError';
  }

  static override isInstance(value: unknown): value is ArtifactNotFoundError {
    return AiTruncateError.isInstance(value) && value.code === 'ARTIFACT_NOT_FOUND';
  }
}

/** A tool output was larger than an artifact may be, so nothing was saved. */
export class ArtifactTooLargeError extends AiTruncateError {
  constructor(maxArtifactBytes: number) {
    const message = `The output is larger than \`maxArtifactBytes\` (${maxArtifactBytes}), so it was not saved. Raise the limit.`;
    super(message, { code: 'ARTIFACT_TOO_LARGE' });
    this.name = 'ArtifactTooLargeError';
  }

  static override isInstance(value: unknown): value is ArtifactTooLargeError {
    return AiTruncateError.isInstance(value) && value.code === 'ARTIFACT_TOO_LARGE';
  }
}
