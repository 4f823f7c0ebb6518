import type { Tool } from 'ai';

/** Members of a tool that take the place of its own. */
export interface ToolMembers {
  execute?: unknown;
  toModelOutput?: unknown;
  outputSchema?: unknown;
  experimental_toolCaller?: unknown;
}

/** What the SDK calls as a method of the tool, beside `execute`. */
const HOOKS = ['description', 'needsApproval', 'onInputStart', 'onInputDelta', 'onInputAvailable', 'toModelOutput'];

/**
 * A copy of a tool with some members of our own. Everything else is kept: the prototype, symbols, and members that are not
 * enumerable, such as the mark of a code-mode caller, which a spread would lose. What runs code of a class runs it on the
 * original: only that has the private fields.
 */
export function copyTool(original: Tool, members: ToolMembers): Tool {
  const descriptors = Object.getOwnPropertyDescriptors(original) as Record<PropertyKey, PropertyDescriptor>;
  for (const [key, accessor] of accessorsOf(original)) {
    const { enumerable = false } = accessor;
    descriptors[key] = { get: () => Reflect.get(original, key), enumerable, configurable: true };
  }
  for (const hook of HOOKS) {
    const value: unknown = Reflect.get(original, hook);
    if (typeof value === 'function') replace(descriptors, hook, value.bind(original));
  }
  for (const [key, value] of Object.entries(members)) replace(descriptors, key, value);
  // Only now the object: members of a frozen tool could not be defined anew on it.
  return Object.create(Object.getPrototypeOf(original), descriptors);
}

function replace(descriptors: Record<PropertyKey, PropertyDescriptor>, key: string, value: unknown): void {
  const enumerable = descriptors[key]?.enumerable ?? true;
  descriptors[key] = { value, enumerable, configurable: true, writable: true };
}

/** Own and inherited ones, the nearest of each name. */
function accessorsOf(original: object): Map<PropertyKey, PropertyDescriptor> {
  const nearest = new Map<PropertyKey, PropertyDescriptor>();
  for (let owner: object | null = original; owner && owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
    for (const key of Reflect.ownKeys(owner)) {
      const descriptor = Object.getOwnPropertyDescriptor(owner, key);
      if (descriptor && !nearest.has(key)) nearest.set(key, descriptor);
    }
  }
  return new Map([...nearest].filter(([, { get }]) => get !== undefined));
}
