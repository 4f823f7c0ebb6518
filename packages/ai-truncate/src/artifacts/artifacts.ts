import type { ArtifactContent } from './artifact-content.ts';
import type { ArtifactInfo } from './artifact-info.ts';
import type { ByteWindow } from './byte-window.ts';
import type { LineWindow } from './line-window.ts';

export interface SaveOptions {
  toolName: string;
  toolCallId: string;
  /** Decides the ending: `.json`, `.txt` for other text, `.bin` for the rest. @default 'text/plain' */
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
  /** The first line, counted from 1. @default 1 */
  start?: number;
  /** @default 100 */
  count?: number;
  /** What the window may cover of the artifact; its first line is shown in any case. @default 1048576 (1 MiB) */
  maxBytes?: number;
  /** What is shown of one line. @default maxBytes */
  maxLineBytes?: number;
}

export interface ReadBytesOptions extends ReadOptions {
  /** The first byte, counted from 0. @default 0 */
  start?: number;
  /** The byte after the last one. @default 1 MiB after the first */
  end?: number;
}

/** The artifacts of one owner: no path, guess or forged name reaches those of another. */
export interface Artifacts {
  /**
   * Stores a tool output, whole: what the path names is complete. Rejects, and leaves nothing, when the content or the store
   * fails, the signal aborts, or the content is larger than an artifact may be.
   */
  save(content: ArtifactContent, options: SaveOptions): Promise<ArtifactInfo>;
  /** What is known of an artifact. Like all that takes a path, it rejects with an `ArtifactNotFoundError` for one that is not here. */
  info(path: string, options?: ReadOptions): Promise<ArtifactInfo>;
  /** The newest 1,000 artifacts, newest first. */
  list(): AsyncIterable<ListedArtifact>;
  /** Lines, wherever they are, at the cost of about as many bytes as they have. */
  readLines(path: string, options?: ReadLinesOptions): Promise<LineWindow>;
  /** Bytes, at most 8 MiB at once. In text both ends are moved back to the border of a code point, so windows join. */
  readBytes(path: string, options?: ReadBytesOptions): Promise<ByteWindow>;
  /** All bytes or a range of them, as a stream. Who does not read to the end cancels it. */
  readStream(path: string, options?: ReadBytesOptions): Promise<ReadableStream<Uint8Array>>;
  /** Deletes one artifact; that it is gone already is no error. */
  delete(path: string): Promise<void>;
  /** Deletes all artifacts of the scope, e.g. with the chat or the account, and tells how many. */
  deleteAll(): Promise<number>;
}
