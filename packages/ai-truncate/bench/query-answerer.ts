import type { Contender } from './compare.ts';
import type { RecordFormat } from './record-formats.ts';

/** The same records in every place that is queried. */
export interface KeptRecords {
  format: RecordFormat['name'];
  bytes: number;
  pieces: readonly Buffer[];
  file: string;
  /** Their path in the store. */
  path: string;
}

export interface RecordGroup {
  service: string;
  count: number;
  average: number;
}

/** A contender that answers a question, such that answers can be compared. */
export interface Answerer extends Contender<KeptRecords> {
  run(records: KeptRecords): Promise<RecordGroup[]>;
}

export const oursFromMemory = 'ai-truncate, from memory';
export const oursFromFile = 'ai-truncate, filesystemStore';
