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

/** What the variables `TOOL_OUTPUT_*` say; what they do not say, as in the JSON file that DEMO_LIMITS_FILE names. */
export function readOutputLimits(variables: Variables): OutputLimits {
  const ofFile = readFileLimits(variables);
  const limits = { ...ofFile, ...withoutImplied(truncationOptionsFromEnv(variables), { variables, ofFile }) };
  requireRoom(limits);
  return limits;
}

/**
 * Without the `keep` and the `previewBytes` that a variable with a limit implies. `TOOL_OUTPUT_MAX_LINES` alone would otherwise
 * override both values of the file.
 */
function withoutImplied(
  { keep, previewBytes, ...named }: EnvironmentOptions,
  { variables, ofFile }: { variables: Variables; ofFile: Partial<FileLimits> },
): EnvironmentOptions {
  const says = (...names: string[]) => names.some((name) => readText(variables, name) !== undefined);
  const keepHolds = ofFile.keep === undefined || says('TOOL_OUTPUT_KEEP', 'TOOL_OUTPUT_TRUNCATE_DIRECTION');
  const previewHolds = ofFile.previewBytes === undefined || says('TOOL_OUTPUT_PREVIEW_BYTES', 'TOOL_OUTPUT_MAX_BYTES');
  return {
    ...named,
    ...(keepHolds && keep !== undefined && { keep }),
    ...(previewHolds && previewBytes !== undefined && { previewBytes }),
  };
}

/** Each may be possible by itself and not beside the other: better no start than no answer. */
function requireRoom({ maxBytes, previewBytes }: OutputLimits): void {
  if (maxBytes === undefined || previewBytes === undefined || previewBytes <= maxBytes) return;
  const expected = `at most ${maxBytes}, three times the \`max_chars\` of ${FILE}`;
  throw new EnvironmentError('TOOL_OUTPUT_PREVIEW_BYTES', { value: String(previewBytes), expected });
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
