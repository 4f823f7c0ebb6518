import { EnvironmentError } from './environment-error';
import { readNumber, readText, type Variables } from './environment-variables';

/** The limits that hold for tool outputs, as `truncateToolOutputs` takes them; what is absent has the library's default. */
export interface ToolOutputSettings {
  maxLines?: number;
  maxBytes?: number;
  keep?: 'auto' | 'head' | 'tail' | 'ends';
  retentionDays?: number;
  /** Where artifacts lie when they lie on a disk. */
  directory?: string;
}

const DIRECTIONS = ['auto', 'head', 'tail', 'ends'] as const;

/** Reads the five `TOOL_OUTPUT_*` variables. */
export function readToolOutputSettings(variables: Variables): ToolOutputSettings {
  const whole = { isWhole: true, max: Number.MAX_SAFE_INTEGER };
  const settings: ToolOutputSettings = {
    maxLines: readNumber(variables, { ...whole, name: 'TOOL_OUTPUT_MAX_LINES', min: 3 }),
    maxBytes: readNumber(variables, { ...whole, name: 'TOOL_OUTPUT_MAX_BYTES', min: 1024 }),
    keep: readDirection(variables),
    retentionDays: readNumber(variables, {
      name: 'TOOL_OUTPUT_RETENTION_DAYS',
      min: 0.01,
      max: 3650,
      isWhole: false,
    }),
    directory: readText(variables, 'TOOL_OUTPUT_DIR'),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

function readDirection(variables: Variables): ToolOutputSettings['keep'] {
  const name = 'TOOL_OUTPUT_TRUNCATE_DIRECTION';
  const value = readText(variables, name);
  if (value === undefined) return undefined;
  const direction = DIRECTIONS.find((one) => one === value.toLowerCase());
  if (direction) return direction;
  throw new EnvironmentError(name, { value, expected: `one of ${DIRECTIONS.join(', ')}` });
}
