const REGISTRY = Symbol.for('ai-truncate.own-envelopes');

type Registry = typeof globalThis & { [REGISTRY]?: WeakSet<object> };

/** One for the process: a bundle can hold two copies of this module. */
function envelopes(): WeakSet<object> {
  const registry = globalThis as Registry;
  registry[REGISTRY] ??= new WeakSet();
  return registry[REGISTRY];
}

/**
 * Marks an envelope that this package built, or a function that bounds what it gives. The mark is beside the object, not in it, so that nothing that a tool relays
 * (a page, a file, another server's answer) can carry it: only code that runs here can.
 */
export function markOwn<Envelope extends object>(envelope: Envelope): Envelope {
  envelopes().add(envelope);
  return envelope;
}

/** Whether this package built it, in this process: after a round trip through JSON it is anyone's. */
export function isOwn(value: unknown): boolean {
  if (typeof value !== 'object' && typeof value !== 'function') return false;
  return value !== null && envelopes().has(value);
}
