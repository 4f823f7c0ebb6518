import { readFileSync } from 'node:fs';
import {
  type EnvironmentOptions,
  type ObjectOptions,
  truncationOptionsFromEnv,
  truncationOptionsFromObject,
} from 'ai-truncate/config';
import { EnvironmentError } from './environment-error';
import { readText, type Variables } from './environment-variables';

/** Whose outputs a file can say something about of its own. A name that is none of these stops the start. */
const tools = {
  readServerLogs: true,
  queryOrders: true,
  searchDocs: true,
  readDoc: true,
  runTests: true,
  readFile: true,
  editFile: true,
};

type FileLimits = Omit<ObjectOptions<typeof tools>, 'toolOptions'>;

/**
 * When an output of a tool is too large and what becomes of it, as `truncateToolOutputs` takes it; `directory` is where artifacts lie
 * when they lie on a disk.
 */
export type OutputLimits = Partial<FileLimits> & Omit<EnvironmentOptions, keyof FileLimits>;

const FILE = 'DEMO_LIMITS_FILE';

/** The variables `TOOL_OUTPUT_*`, and the JSON file that DEMO_LIMITS_FILE names for everything that they leave out. */
export function readOutputLimits(variables: Variables): OutputLimits {
  return { ...readFileLimits(variables), ...truncationOptionsFromEnv(variables) };
}

function readFileLimits(variables: Variables): Partial<FileLimits> {
  const path = readText(variables, FILE);
  if (path === undefined) return {};
  // None of the tools here has options of its own to follow.
  const { toolOptions, ...limits } = truncationOptionsFromObject(parseFile(path), { tools });
  const [first] = Object.entries(toolOptions);
  if (first === undefined) return limits;
  const [toolName, set] = first;
  const expected = `a file of limits alone: it sets ${Object.keys(set).join(', ')} of ${toolName}, which that does not follow`;
  throw new EnvironmentError(FILE, { value: path, expected });
}

function parseFile(path: string): unknown {
  try {
    return JSON.parse(readFileSync(/* turbopackIgnore: true */ path, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new EnvironmentError(FILE, { value: path, expected: `a JSON file that can be read (${reason})` });
  }
}
