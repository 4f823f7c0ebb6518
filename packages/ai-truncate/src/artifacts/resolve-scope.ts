import { withTimeout } from '../deadlines.ts';
import { InvalidOptionError } from '../errors.ts';

/** Who owns an output: known, or to be found. */
export type Scope = string | (() => string | null | undefined | PromiseLike<string | null | undefined>);

export interface ResolveScopeOptions {
  scope: Scope;
  /** How long a scope function may take. One that takes longer counts as one that found no owner. */
  saveTimeoutMs: number;
  abortSignal?: AbortSignal | undefined;
}

/** The owner of the running call. Rejects when none is found, so that nothing is saved or read for nobody. */
export async function resolveScope({ scope, saveTimeoutMs, abortSignal }: ResolveScopeOptions): Promise<string> {
  abortSignal?.throwIfAborted();
  if (typeof scope === 'string') return scope;
  const found = await withTimeout(saveTimeoutMs, { work: () => scope(), abortSignal, what: '`scope`' });
  if (found != null) return found;
  throw new InvalidOptionError({ option: 'scope', value: found, expected: 'a string for this call' });
}

/** Throws unless the scope can name an owner. An empty one would be shared by all who forgot theirs. */
export function requireScope(scope: unknown): asserts scope is string {
  if (typeof scope === 'string' && scope !== '') return;
  throw new InvalidOptionError({
    option: 'scope',
    value: scope,
    expected: 'a non-empty string that names the owner (a chat, a user, a tenant), set on the server',
  });
}
