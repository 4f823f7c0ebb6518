import type { Tool, ToolSet } from 'ai';

/** Members that replace members of a tool. */
export interface ToolMembers {
  execute?: unknown;
  toModelOutput?: unknown;
  outputSchema?: unknown;
  experimental_toolCaller?: unknown;
}

/** Functions that the SDK calls as methods of the tool, in addition to `execute`. */
const HOOKS: ReadonlySet<PropertyKey> = new Set([
  'description',
  'needsApproval',
  'onInputStart',
  'onInputDelta',
  'onInputAvailable',
  'toModelOutput',
]);

type Descriptors = Record<PropertyKey, PropertyDescriptor>;

/**
 * A copy of a tool with some other members. It has the same prototype, the same symbols, and the same members that are not
 * enumerable, such as the mark of a code-mode caller, which a spread would lose. Code of a class runs on the original, because
 * only the original has the private fields.
 */
export function copyTool(original: Tool, members: ToolMembers): Tool {
  const descriptors: Descriptors = {};
  for (const [key, { owner, descriptor }] of membersOf(original)) {
    const isOwn = owner === original;
    if (descriptor.get || descriptor.set) descriptors[key] = delegating(original, { key, descriptor });
    else if (typeof descriptor.value === 'function' && (!isOwn || HOOKS.has(key))) {
      descriptors[key] = { ...descriptor, value: descriptor.value.bind(original) };
    } else if (isOwn) descriptors[key] = descriptor;
  }
  for (const [key, value] of Object.entries(members)) {
    const enumerable = descriptors[key]?.enumerable ?? true;
    descriptors[key] = { value, enumerable, configurable: true, writable: true };
  }
  // The object is created last, because members of a frozen tool cannot be redefined.
  return Object.create(Object.getPrototypeOf(original), descriptors);
}

function delegating(
  original: Tool,
  { key, descriptor }: { key: PropertyKey; descriptor: PropertyDescriptor },
): PropertyDescriptor {
  return {
    get() {
      const value: unknown = Reflect.get(original, key);
      return typeof value === 'function' && HOOKS.has(key) ? value.bind(original) : value;
    },
    ...(descriptor.set && { set: (value: unknown) => void Reflect.set(original, key, value) }),
    enumerable: descriptor.enumerable ?? false,
    configurable: true,
  };
}

type Member = { owner: object; descriptor: PropertyDescriptor };

/** Own and inherited members, the nearest of each name, without the members of every object. */
function membersOf(original: object): Map<PropertyKey, Member> {
  const nearest = new Map<PropertyKey, Member>();
  for (let owner: object | null = original; owner && owner !== Object.prototype; owner = Object.getPrototypeOf(owner)) {
    for (const key of Reflect.ownKeys(owner)) {
      const descriptor = Object.getOwnPropertyDescriptor(owner, key);
      const isConstructor = key === 'constructor' && owner !== original;
      if (descriptor && !isConstructor && !nearest.has(key)) nearest.set(key, { owner, descriptor });
    }
  }
  return nearest;
}

/** A tool that runs programs, which call other tools (code mode). The SDK binds it to them. */
interface LocalCaller {
  type: 'local';
  bind: (tools: ToolSet) => Tool;
  prepareModelMessage?: (tools: ToolSet) => string | undefined;
}

type Caller = LocalCaller | { type: 'provider' };

export function callerOf(tool: Tool): Caller | undefined {
  return (tool as { experimental_toolCaller?: Caller } | undefined)?.experimental_toolCaller;
}

/** The caller with the original tools, because a program works on their outputs, not on previews. Its own output is `bound`. */
export function withOriginals(caller: LocalCaller, bound: (tool: Tool) => Tool): LocalCaller {
  const copy: LocalCaller = { ...caller, bind: (tools) => bound(caller.bind(originalsOf(tools))) };
  if (caller.prepareModelMessage) {
    copy.prepareModelMessage = (tools) => caller.prepareModelMessage?.(originalsOf(tools));
  }
  return copy;
}

/**
 * Wrapped `execute` → the original tool. The key is the function, because a copy that the SDK makes of a tool has the same
 * function.
 */
const originals = new WeakMap<object, Tool>();

/** Whether this library wrapped or added the tool. */
export function isWrapped({ execute }: Tool): boolean {
  return execute !== undefined && originals.has(execute);
}

export function rememberOriginal(original: Tool, execute: object): void {
  originals.set(execute, original);
}

function originalsOf(tools: ToolSet): ToolSet {
  const entries = Object.entries(tools).map(([name, tool]) => [name, originals.get(tool.execute ?? tool) ?? tool]);
  return Object.fromEntries(entries) as ToolSet;
}
