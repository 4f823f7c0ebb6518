import type { Tool, ToolExecutionOptions, ToolSet } from 'ai';
import { type ResolvedLimits, resolveLimits, type TruncationLimits } from '../preview/limits.ts';
import { HINTED_TOOLS } from '../preview/preview-words.ts';
import { hasExplore } from './added-tools.ts';
import { countedTool } from './counted-tool.ts';
import { requireToolSet, type ToolSetOptions, type ToolTruncation } from './tool-set-options.ts';
import { leaveTool, truncateTool } from './truncate-tool.ts';

/** The wrapped tools, and those that are added to them. */
export function wrapToolSet(tools: ToolSet, options: ToolSetOptions, added: ToolSet): ToolSet {
  requireToolSet(tools, options, added);

  const { perTool = {}, onOutput, canCall = (name: string) => Object.hasOwn(added, name) } = options;
  const hinted = HINTED_TOOLS.filter((name) => name !== 'task' || hasExplore(options, added));
  const hintTools = (call: ToolExecutionOptions<unknown>) => hinted.filter((name) => mayCall(canCall, { name, call }));
  // As the tools of an MCP server come: without a prototype.
  const set: ToolSet = Object.getPrototypeOf(tools) === null ? Object.create(null) : {};
  for (const [toolName, tool] of Object.entries(tools)) {
    const own = Object.hasOwn(perTool, toolName) ? perTool[toolName] : undefined;
    if (own === false) {
      add(set, toolName, leaveTool(tool));
      continue;
    }
    const limits = limitsOf(own, { all: options, toolName });
    const allowsSkip = own?.allowSkip ?? options.allowSkip ?? false;
    add(set, toolName, truncateTool(tool, { toolName, limits, keeping: options, allowsSkip, hintTools }));
  }
  for (const [name, tool] of Object.entries(added)) add(set, name, countedTool(tool, { toolName: name, onOutput }));
  return set;
}

/** Not by assignment: a tool may be called `__proto__`. */
function add(set: ToolSet, name: string, tool: Tool): void {
  Object.defineProperty(set, name, { value: tool, enumerable: true, configurable: true, writable: true });
}

/** What one tool leaves open holds for all; a preview that fits all is made to fit this one. */
function limitsOf(
  own: ToolTruncation | undefined,
  { all, toolName }: { all: TruncationLimits; toolName: string },
): ResolvedLimits {
  if (!own) return resolveLimits(all);
  const { maxLines = all.maxLines, maxBytes = all.maxBytes, maxChars = all.maxChars, keep = all.keep } = own;
  const { previewBytes = all.previewBytes && Math.min(all.previewBytes, maxBytes ?? all.previewBytes) } = own;
  const limits = { maxLines, maxBytes, maxChars, keep, previewBytes };
  const given = Object.entries(limits).filter(([, value]) => value !== undefined);
  return resolveLimits(Object.fromEntries(given), `perTool.${toolName}.`);
}

/** The hint is one line of the result: a rule that fails must not cost the result itself. */
function mayCall(
  canCall: NonNullable<ToolSetOptions['canCall']>,
  { name, call }: { name: string; call: ToolExecutionOptions<unknown> },
): boolean {
  try {
    const answer: unknown = canCall(name, call);
    // A promise is no answer, and its failure nobody's.
    Promise.resolve(answer).catch(() => {});
    return answer === true;
  } catch {
    return false;
  }
}
