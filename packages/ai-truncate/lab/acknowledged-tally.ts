import type { FoundValues } from '../fixtures/hashed-values.ts';
import { thousands } from '../src/text/utf.ts';
import type { WriteReport } from './nothing-lost-writer.ts';

/** Counts acknowledged values, and how many of them are missing. */
export interface AcknowledgedTally {
  add(reports: readonly WriteReport[], found: FoundValues): void;
  /** Whether at least this many were acknowledged, none was lost and none is partial. */
  isMet(acknowledged: number): boolean;
  measured(): string;
}

export function acknowledgedTally(): AcknowledgedTally {
  let [put, saved, lost, partial] = [0, 0, 0, 0];
  return {
    add(reports, found) {
      partial += found.partial.length;
      for (const { keys } of reports) {
        // An artifact has its side-car.
        if (keys.length === 1) put++;
        else saved++;
        if (!keys.every((key) => found.whole.has(key))) lost++;
      }
    },
    isMet: (acknowledged) => lost + partial === 0 && put + saved >= acknowledged,
    measured: () => `${lost} lost of ${thousands(put)} put and ${thousands(saved)} saved, ${partial} partial`,
  };
}
