import { inTurn } from '../pace.ts';
import { createJsonSample } from '../truncation/json-sample.ts';
import { type ScannedOutput, scanFor } from '../truncation/preview.ts';
import { createTextScan } from '../truncation/text-scan.ts';
import type { ResolvedLimits } from '../truncation/truncation-limits.ts';

export interface OutputScanner {
  push(text: string): void;
  finish(): Promise<ScannedOutput>;
}

/** Learns what a preview is chosen from. */
export function createOutputScanner(limits: ResolvedLimits): OutputScanner {
  const scan = createTextScan(scanFor(limits));
  const sample = limits.keep === 'auto' ? createJsonSample() : undefined;
  return {
    push(text) {
      scan.push(text);
      sample?.push(text);
    },
    async finish() {
      return { scan: await inTurn(() => scan.finish()), json: sample?.finishInSteps };
    },
  };
}
