/** `ai-truncate/config`: options from the environment and from plain objects, such as a parsed YAML file. */

export { type EnvironmentOptions, truncationOptionsFromEnv } from './config/truncation-options-from-env.ts';
export {
  type ObjectOptions,
  type ReadObjectOptions,
  type ToolOptions,
  truncationOptionsFromObject,
} from './config/truncation-options-from-object.ts';
