import type { Tool, ToolSet } from 'ai';

/** A tool that runs programs, which call other tools (code mode): the SDK binds it to them. */
interface LocalCaller {
  type: 'local';
  bind: (tools: ToolSet) => Tool;
  prepareModelMessage?: (tools: ToolSet) => string | undefined;
}

type Caller = LocalCaller | { type: 'provider' };

export function callerOf(tool: Tool): Caller | undefined {
  return (tool as { experimental_toolCaller?: Caller } | undefined)?.experimental_toolCaller;
}

/** The caller with the original tools: a program works on what they return, not on previews. What it returns is `bound`. */
export function withOriginals(caller: LocalCaller, bound: (tool: Tool) => Tool): LocalCaller {
  const copy: LocalCaller = { ...caller, bind: (tools) => bound(caller.bind(originalsOf(tools))) };
  if (caller.prepareModelMessage) {
    copy.prepareModelMessage = (tools) => caller.prepareModelMessage?.(originalsOf(tools));
  }
  return copy;
}

/** Wrapped `execute` → the tool it belongs to. By the function: the SDK copies tools, and the copy keeps it. */
const originals = new WeakMap<object, Tool>();

export function rememberOriginal(original: Tool, execute: object): void {
  originals.set(execute, original);
}

function originalsOf(tools: ToolSet): ToolSet {
  const entries = Object.entries(tools).map(([name, tool]) => [name, originals.get(tool.execute ?? tool) ?? tool]);
  return Object.fromEntries(entries) as ToolSet;
}
