import type { ToolResultBounding } from '../middleware/tool-result-bounding.ts';
import { isRecord } from '../protocol/guards.ts';
import { look } from './tool-outcome.ts';

/** As text; with its long texts shortened in place; or not at all. */
export type FormOfJson = 'text' | 'in place' | 'whole';

/**
 * How JSON of a result can be bounded. OpenAI checks that of its own tools, and text in its place would be refused, with this
 * request and every later one; every other provider takes text from any tool.
 *
 * Told by the result itself, never by the tools of the request: those change, and old bytes would with them. Runs of a shell
 * have a form that nothing else has. The other forms are those of many tools, so the name has to be OpenAI's too; a screenshot
 * is not counted, and under any name whoever posts a result could post text of any size as one.
 */
export function formOfJson(
  value: unknown,
  { toolName, openAiTools }: { toolName: string } & Pick<ToolResultBounding, 'openAiTools'>,
): FormOfJson {
  const isOpenAis = OPENAI_NAMES.has(toolName) || openAiTools.includes(toolName);
  const form = look(value, (members) => {
    // What it is sent as, only its `toJSON` knows.
    if (typeof members.toJSON === 'function') return 'text';
    return isRunsOfShell(members) ? 'in place' : isOpenAis && formOfTool(members);
  });
  return form || 'text';
}

/** What OpenAI and the SDK call these tools. */
const OPENAI_NAMES: ReadonlySet<string> = new Set([
  'local_shell',
  'localShell',
  'apply_patch',
  'computer',
  'tool_search',
  'toolSearch',
]);

function isRunsOfShell(members: Record<string, unknown>): boolean {
  const { output } = members;
  if (!Array.isArray(output) || !hasOnly(members, ['output', 'maxOutputLength'])) return false;
  return [output.at(0), output.at(-1)].every(isRun);
}

function isRun(run: unknown): boolean {
  return isRecord(run) && typeof run.stdout === 'string' && typeof run.stderr === 'string' && isRecord(run.outcome);
}

/** With these members and no other: what a tool of the application has beside them may not be dropped without a word. */
function formOfTool(members: Record<string, unknown>): FormOfJson {
  const { output, status, tools } = members;
  // Definitions of the tools that were found: a part of them would be another set of tools.
  if (Array.isArray(tools)) return hasOnly(members, ['tools']) ? 'whole' : 'text';
  if (isRecord(output) && output.type === 'computer_screenshot') {
    return hasOnly(members, ['output', 'acknowledgedSafetyChecks']) ? 'in place' : 'text';
  }
  const isPatch = status === 'completed' || status === 'failed';
  const isText = typeof output === 'string' && hasOnly(members, isPatch ? ['status', 'output'] : ['output']);
  return isText ? 'in place' : 'text';
}

function hasOnly(members: object, names: readonly string[]): boolean {
  return Object.keys(members).every((name) => names.includes(name));
}
