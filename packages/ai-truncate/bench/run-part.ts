// One part of the benchmarks, in the process that `part-process.ts` made for it: node bench/run-part.ts <part> <scale>
import { scales } from './bench-part.ts';
import { parts } from './parts.ts';

const [, , name = '', scaleName = ''] = process.argv;
const part = parts[name];
const scale = scales[scaleName as keyof typeof scales];
if (!part || !scale || !process.send)
  throw new Error(`No part "${name}" at scale "${scaleName}", or no parent process for the answer.`);
// The parent process has ended.
process.once('disconnect', () => process.exit(1));
const markdown = await part.measure(scale);
// Open handles of a part must not keep its process alive, but the answer must be sent first.
process.send(markdown, () => process.exit());
