import { join } from 'node:path';
import { processAnswer } from '../lab/process-answer.ts';
import type { scales } from './bench-part.ts';

/** At full scale a part takes minutes. At small scale the tests wait for at most five minutes. */
const mostMs: Record<keyof typeof scales, number> = { full: 60 * 60_000, small: 280_000 };
const script = join(import.meta.dirname, 'run-part.ts');

/** Measures one part in its own process, because a database or a gigabyte in memory must not slow down the next part. */
export async function runPartProcess(name: string, scale: keyof typeof scales): Promise<string> {
  const told = await processAnswer({ script, args: [name, scale], mostMs: mostMs[scale] });
  if ('answer' in told) return String(told.answer);
  throw new Error(`The benchmark "${name}" gave no figures, ${told.ended}: ${told.errors}`);
}
