import { AiTruncateError } from '../errors.ts';
import type { ArtifactContent } from './artifact-content.ts';

/** What is known of an artifact. */
export interface ArtifactInfo {
  /** How models and people name it. */
  path: string;
  /** The last part of the path. */
  name: string;
  /** Exactly as the tool set names it. */
  toolName: string;
  /** Exactly as the model gave it. */
  toolCallId: string;
  mediaType: string;
  bytes: number;
  /** What `split('\n')` would give. */
  lines: number;
  createdAt: Date;
  /** From then on it may be deleted. */
  expiresAt: Date;
}

export interface SaveOptions {
  toolName: string;
  toolCallId: string;
  /** Decides the ending: `.json`, `.txt` for other text (XML, YAML, code …), `.bin` for the rest. @default 'text/plain' */
  mediaType?: string;
  abortSignal?: AbortSignal | undefined;
}

/** What a listing tells of an artifact, without reading anything of it. */
export interface ListedArtifact {
  path: string;
  name: string;
  /** What the name tells of the tool: lower case and short. `info` has the exact name. */
  tool: string;
  createdAt: Date;
  bytes: number;
}

export interface ReadOptions {
  abortSignal?: AbortSignal | undefined;
}

export interface ReadLinesOptions extends ReadOptions {
  /** The first line, counted from 1; below 0 from the end: -20 for the last 20. @default 1 */
  start?: number;
  /** At most 10,000. @default 100 */
  count?: number;
  /** What the window may cover of the artifact, at most 8 MiB; its first line is shown in any case. @default 1048576 (1 MiB) */
  maxBytes?: number;
  /** What is shown of one line. @default maxBytes */
  maxLineBytes?: number;
}

export interface ReadBytesOptions extends ReadOptions {
  /** The first byte, counted from 0. @default 0 */
  start?: number;
  /** The byte after the last one; more than 8 MiB after the first is cut to that. @default 1 MiB after the first */
  end?: number;
}

export interface ReadStreamOptions extends ReadOptions {
  /** The first byte, counted from 0. @default 0 */
  start?: number;
  /** The byte after the last one. @default the end */
  end?: number;
}

/** Some lines of an artifact. */
export interface LineWindow {
  lines: ArtifactLine[];
  /** Lines of the whole artifact. */
  totalLines: number;
  /** Where the next window starts; absent at the end. */
  nextLine?: number;
}

export interface ArtifactLine {
  /** Counted from 1. */
  number: number;
  /** Without its newline. Less than the line when that has more bytes than the window may have. */
  text: string;
  /** The byte at which it starts. */
  start: number;
  /** The bytes of the whole line, without its newline. */
  bytes: number;
  /** How many of them `text` holds. With less than `bytes`, `readBytes` reads on at `start + shownBytes`. */
  shownBytes: number;
}

/** Some bytes of an artifact. */
export interface ByteWindow {
  bytes: Uint8Array<ArrayBuffer>;
  /** The first byte, counted from 0. */
  start: number;
  /** The byte after the last one: where the next window starts. */
  end: number;
  /** Bytes of the whole artifact. */
  totalBytes: number;
}

/** The artifacts of one owner: no path, guess or forged name reaches those of another. */
export interface Artifacts {
  /**
   * Stores a tool output, whole: what the path names is complete. Rejects, and leaves nothing, when the content or the store
   * fails, the signal aborts, or the content is larger than an artifact may be.
   */
  save(content: ArtifactContent, options: SaveOptions): Promise<ArtifactInfo>;
  /**
   * What is known of an artifact. Like all that reads, it takes the path, the name or the random part of the name, and rejects
   * with an `ArtifactNotFoundError` for one that is not here.
   */
  info(path: string, options?: ReadOptions): Promise<ArtifactInfo>;
  /** The newest 1,000 artifacts, newest first: `for await (const { path } of artifacts.list())`. */
  list(options?: ReadOptions): AsyncIterable<ListedArtifact>;
  /** Lines, wherever they are, at the cost of about as many bytes as they have. `nextLine` of the answer tells where to go on. */
  readLines(path: string, options?: ReadLinesOptions): Promise<LineWindow>;
  /**
   * Bytes, to be continued at `end` of the answer. In text both ends lie at borders of code points, so that windows join; one
   * that is smaller than a code point holds that whole.
   */
  readBytes(path: string, options?: ReadBytesOptions): Promise<ByteWindow>;
  /** The bytes as they are, all or a range, as a stream. Who does not read to the end cancels it. */
  readStream(path: string, options?: ReadStreamOptions): Promise<ReadableStream<Uint8Array<ArrayBuffer>>>;
  /** Deletes one artifact; tells whether there was one, and it is no error when there was none. */
  delete(path: string, options?: ReadOptions): Promise<boolean>;
  /** Deletes all artifacts of the scope, e.g. with the chat or the account, and tells how many. Saves must have ended. */
  deleteAll(options?: ReadOptions): Promise<number>;
}

/** No such artifact in this scope; whether another scope has it cannot be told from this. */
export class ArtifactNotFoundError extends AiTruncateError {
  constructor(path: unknown) {
    const text = typeof path === 'string' ? path : `a value of type ${typeof path}`;
    const shown = text.length > 200 ? `${text.slice(0, 200)}…` : text;
    super(
      `There is no artifact \`${shown}\` here: it was deleted, it expired, or the path is not exactly the one that was given.`,
      { code: 'ARTIFACT_NOT_FOUND' },
    );
    this.name = 'ArtifactNotFoundError';
  }

  static override isInstance(value: unknown): value is ArtifactNotFoundError {
    return AiTruncateError.isInstance(value) && value.code === 'ARTIFACT_NOT_FOUND';
  }
}

/** A tool output was larger than an artifact may be; nothing of it was saved. */
export class ArtifactTooLargeError extends AiTruncateError {
  constructor(maxArtifactBytes: number) {
    const message = `The output is larger than \`maxArtifactBytes\` (${maxArtifactBytes}), so nothing of it was saved. Raise the limit.`;
    super(message, { code: 'ARTIFACT_TOO_LARGE' });
    this.name = 'ArtifactTooLargeError';
  }

  static override isInstance(value: unknown): value is ArtifactTooLargeError {
    return AiTruncateError.isInstance(value) && value.code === 'ARTIFACT_TOO_LARGE';
  }
}
