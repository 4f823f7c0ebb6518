import type { Contender } from './compare.ts';
import type { RecordFormat } from './record-formats.ts';

/** The same records in every place where somebody looks for them. */
export interface KeptRecords {
  format: RecordFormat['name'];
  bytes: number;
  pieces: readonly Buffer[];
  file: string;
  /** In our store. */
  path: string;
}

export interface RecordGroup {
  service: string;
  count: number;
  average: number;
}

/** Answers a question, and what it answers can be compared. */
export interface Answerer extends Contender<KeptRecords> {
  run(records: KeptRecords): Promise<RecordGroup[]>;
}

export const oursFromMemory = 'ours, from memory';
export const oursFromFile = 'ours, filesystemStore';
