import { withTimeout } from '../deadlines.ts';
import { requireOption } from '../options.ts';

/** The owner of an output: a known name, or a function that finds it. */
export type Scope = string | (() => string | null | undefined | PromiseLike<string | null | undefined>);

/** How long a scope function may take, and how long a store may hang while an output is saved. */
export const DEFAULT_SAVE_TIMEOUT_MS = 10_000;

type ScopedCall = { scope: Scope; saveTimeoutMs?: number | undefined; abortSignal?: AbortSignal | undefined };

/** The owner of the running call. Rejects if there is none, so that nothing is saved or read without an owner. */
export async function resolveScope(call: ScopedCall): Promise<string> {
  const { scope, saveTimeoutMs = DEFAULT_SAVE_TIMEOUT_MS, abortSignal } = call;
  abortSignal?.throwIfAborted();
  if (typeof scope === 'string') return scope;
  const found = await withTimeout(saveTimeoutMs, { work: () => scope(), abortSignal, what: '`scope`' });
  requireOption(found != null, { option: 'scope', value: found, expected: 'a string for this call' });
  return found;
}
