import type { JsonLayout } from './indented-json.ts';
import { PlainProbe } from './plain-subtree.ts';

const MAX_NATIVE_NODES = 512;
const MAX_NATIVE_LEVELS = 32;
/** Nodes to walk after a failed probe before the next: probing at each level of a deep chain would be quadratic. */
const NODES_BETWEEN_PROBES = 64;

/** The part of a walk that goes to `JSON.stringify`, which is several times quicker: small, plain subtrees. */
export class NativeJson {
  /** How many nodes the last text stands for. */
  nodes = 0;
  readonly #layout: JsonLayout;
  readonly #probe: PlainProbe;
  #walkedSinceProbe = NODES_BETWEEN_PROBES;

  constructor(layout: JsonLayout, isAncestor: (value: object) => boolean) {
    this.#layout = layout;
    this.#probe = new PlainProbe(isAncestor);
  }

  /** Tells that a node was walked. */
  countWalked(): void {
    this.#walkedSinceProbe++;
  }

  /** The text of `value` at `level`, or `undefined` when it has to be walked. */
  textOf(value: object, { level, maxLevels }: { level: number; maxLevels: number }): string | undefined {
    if (this.#walkedSinceProbe < NODES_BETWEEN_PROBES) return undefined;
    const levels = Math.min(MAX_NATIVE_LEVELS, maxLevels, this.#layout.levelsFrom(level));
    const nodes = this.#probe.countNodes(value, { nodes: MAX_NATIVE_NODES, levels });
    const isIndented = this.#layout.isIndented(level + 1);
    const text = nodes === undefined ? undefined : stringify(value, isIndented ? this.#layout.indent : 0);
    if (nodes === undefined || text === undefined) {
      this.#walkedSinceProbe = 0;
      return undefined;
    }
    this.nodes = nodes;
    // A line feed inside a string is written as \n: every raw one is a line break of the layout.
    return isIndented && level > 0 ? text.replaceAll('\n', this.#layout.lineBreak(level)) : text;
  }

  /** The keys of `value` when a probe has listed them, once. */
  takeKeys(value: object): string[] | undefined {
    return this.#probe.takeKeys(value);
  }
}

/** A value that passed the probe can still throw: a getter may answer differently when it is asked again. */
function stringify(value: object, indent: number): string | undefined {
  try {
    return JSON.stringify(value, null, indent);
  } catch {
    return undefined;
  }
}
