import { createJsonSample } from '../json/json-sample.ts';
import { inTurn } from '../pace.ts';
import type { ResolvedLimits } from '../preview/limits.ts';
import { type ScannedOutput, scanFor } from '../preview/preview.ts';
import { createTextScan } from '../text/text-scan.ts';

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
