// One part of the benchmarks, in the process that `part-process.ts` made for it: node bench/run-part.ts <part> <scale>
import { scales } from './bench-part.ts';
import { parts } from './parts.ts';

const [, , name = '', scaleName = ''] = process.argv;
const part = parts[name];
const scale = scales[scaleName as keyof typeof scales];
if (!part || !scale || !process.send) throw new Error(`No part "${name}" at scale "${scaleName}", or nobody to tell.`);
// Who would be told has ended.
process.once('disconnect', () => process.exit(1));
const markdown = await part.measure(scale);
// What a part left open must not keep its process alive, and the answer must be on its way before that ends.
process.send(markdown, () => process.exit());
