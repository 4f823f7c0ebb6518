import { inspectSafely } from '../delivery/trusted-output.ts';
import { isRecord } from '../protocol/guards.ts';
import type { ToolResultBounding } from './preview-of-result.ts';

/** As text; as runs of a shell, whose long texts get shorter; or not at all. */
export type FormOfJson = 'text' | 'shell' | 'whole';

/**
 * How JSON of a result can be bounded. OpenAI checks that of its own tools, and text in its place would be refused, with this
 * request and every later one; every other provider takes text from any tool. Only the shell's is shortened, the others' stays.
 *
 * The result itself decides, never the tools of the request: those change, and old bytes would with them. Runs of a shell have a
 * form that nothing else has. The other forms are those of many tools, so the name has to be OpenAI's too: under any name,
 * whoever posts a result could post text of any size as one.
 */
export function formOfJson(
  value: unknown,
  { toolName, openAiTools }: { toolName: string } & Pick<ToolResultBounding, 'openAiTools'>,
): FormOfJson {
  const isOpenAis = OPENAI_NAMES.has(toolName) || openAiTools.includes(toolName);
  const form = inspectSafely(value, (members) => {
    // What it is sent as, only its `toJSON` knows.
    if (typeof members.toJSON === 'function') return 'text';
    if (isRunsOfShell(members)) return 'shell';
    return isOpenAis && isShapedByOpenAi(members) ? 'whole' : 'text';
  });
  return form ?? 'text';
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

/** With these members and no other: an output with more of them is that of another tool. */
function isShapedByOpenAi(members: Record<string, unknown>): boolean {
  const { output, status, tools } = members;
  if (Array.isArray(tools)) return hasOnly(members, ['tools']);
  if (isRecord(output) && output.type === 'computer_screenshot') {
    return hasOnly(members, ['output', 'acknowledgedSafetyChecks']);
  }
  const isPatch = status === 'completed' || status === 'failed';
  return typeof output === 'string' && hasOnly(members, isPatch ? ['status', 'output'] : ['output']);
}

function hasOnly(members: object, names: readonly string[]): boolean {
  return Object.keys(members).every((name) => names.includes(name));
}
