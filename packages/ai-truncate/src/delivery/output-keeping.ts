import { requireStorageOptions, type StorageOptions } from '../artifacts/storage-options.ts';
import { requireOptionalFunction } from '../options.ts';
import type { OutputEvent, TruncationEvent } from './events.ts';

/** How full outputs are kept, and who is told. The same for one output and for a set of tools. */
export interface OutputKeeping extends StorageOptions {
  /** Told of each output that was truncated. What it throws or rejects with is dropped. */
  onTruncate?: (event: TruncationEvent) => void;
  /** Told of each output, also of those within the limits, and of what readers show. What it throws or rejects with is dropped. */
  onOutput?: (event: OutputEvent) => void;
}

/** Throws for what could not work, also when no output is ever too large and nothing would come of it. */
export function requireOutputKeeping(options: OutputKeeping): void {
  requireStorageOptions(options);
  requireOptionalFunction('onTruncate', options.onTruncate);
  requireOptionalFunction('onOutput', options.onOutput);
}
