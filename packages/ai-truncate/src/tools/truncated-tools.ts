import type { Tool, ToolExecuteFunction, ToolSet } from 'ai';
import type { TruncatedOutput } from '../protocol/truncated-output.ts';
import type { DeliveredOutput } from './truncate-output.ts';

/**
 * The same tool, whose output may also be a `TruncatedOutput`. Provider tools and tools without `execute` run elsewhere and stay
 * what they are. One that only may have an `execute` (`const read: Tool<…>`) counts as having one.
 */
export type TruncatedTool<TOOL> = [TOOL] extends [{ type: 'provider' }]
  ? TOOL
  : [TOOL] extends [{ execute?: undefined }]
    ? TOOL
    : // The tuples keep `Tool`, a union, from being distributed. CONTEXT is inferred here because `InferToolContext` gives `never`.
      [TOOL] extends [Tool<infer INPUT, infer OUTPUT, infer CONTEXT>]
      ? Tool<INPUT, DeliveredOutput<OUTPUT> | TruncatedOutput, CONTEXT> &
          ([TOOL] extends [{ execute: (...parameters: never[]) => unknown }]
            ? { execute: ToolExecuteFunction<INPUT, DeliveredOutput<OUTPUT> | TruncatedOutput, CONTEXT> }
            : unknown) &
          OwnMembers<TOOL>
      : TOOL;

/** What makes it this kind of tool, and what others added to it: the mark of a code-mode caller, the `_meta` of an MCP tool. */
type OwnMembers<TOOL> = Pick<TOOL, Exclude<keyof TOOL, Exclude<keyof Tool, 'type'>>>;

/** A set of tools whose outputs are bounded. Those that `perTool` sets to `false` are left as they are. */
export type TruncatedTools<TOOLS extends ToolSet, PER_TOOL = Record<never, never>> = {
  [NAME in keyof TOOLS]: NAME extends keyof PER_TOOL
    ? PER_TOOL[NAME] extends false
      ? TOOLS[NAME]
      : TruncatedTool<TOOLS[NAME]>
    : TruncatedTool<TOOLS[NAME]>;
};

/** Requires a property whose name is the complaint, so that the compiler prints it. Nothing when no name is taken twice. */
export type NoConflict<TOOLS, ADDED> = {
  [NAME in KnownName<TOOLS> &
    keyof ADDED &
    string as `'${NAME}' is already one of your tools: rename it${NAME extends 'task' ? '' : ", or leave ours out with 'readers'"}`]: never;
};

/** Names written in the code. An index signature, as of MCP tools, has none. */
type KnownName<TOOLS> = keyof {
  [NAME in keyof TOOLS as string extends NAME ? never : number extends NAME ? never : NAME]: unknown;
};

/** Refuses a misspelt name beside a right one, which inference would swallow. */
export type NoUnknown<PER_TOOL, TOOLS> = {
  [NAME in Exclude<keyof PER_TOOL, keyof TOOLS>]: 'there is no tool of this name';
};
