import type { LanguageModel } from 'ai';
import { MAX_RETENTION_DAYS } from '../artifacts/sweep-artifacts.ts';
import { InvalidOptionError } from '../errors.ts';
import { MAX_INPUT_CHARS, type SummarizeOptions, summarize } from '../extras/summarize.ts';
import { requireOption, requireOptions, requireWholeNumber, withoutUndefined } from '../options.ts';
import {
  MAX_BYTES_PER_CHAR,
  MAX_PREVIEW_BYTES,
  MIN_BYTES,
  MIN_CHARS,
  type PreviewKeep,
  type TruncationLimits,
} from '../preview/limits.ts';
import { MIN_ENDS_LINES } from '../preview/truncate-text.ts';
import { isRecord } from '../protocol/guards.ts';
import { requireToolName, type ToolTruncation } from '../tools/tool-set-options.ts';
import { type ConfigSection, sectionOf, subsectionOf, textOf, wholeNumberOf, wordOf } from './config-section.ts';

export interface ReadObjectOptions<TOOLS extends object = Record<string, unknown>> {
  /**
   * Your tools, or any object with their names. If set, an unknown tool name in the configuration throws, and the types know
   * the names.
   */
  tools?: TOOLS | undefined;
  /**
   * Makes the summaries for the strategy `summarize`: a model, or a function that makes the model with the name in
   * `summarization.model`.
   */
  model?: (LanguageModel | ((name: string) => LanguageModel)) | undefined;
  /** Called with each summary. */
  onSummary?: SummarizeOptions['onSummary'] | undefined;
}

/** Settings for the tool itself, which do not affect how its output is bounded. */
export interface ToolOptions {
  /** Lines to show before and after each match. */
  show_context?: number;
  max_depth?: number;
  max_files?: number;
}

/** The options of `truncateToolOutputs`, and `toolOptions`, which are for the tools themselves. */
export interface ObjectOptions<TOOLS extends object = Record<string, unknown>> extends TruncationLimits {
  perTool: { [NAME in keyof TOOLS]?: ToolTruncation };
  toolOptions: { [NAME in keyof TOOLS]?: ToolOptions };
}

const STRATEGIES = ['head_tail', 'head_only', 'summarize'] as const;
const SUMMARIZATION_KEYS = ['enabled', 'model', 'max_input_chars', 'trigger_threshold'] as const;
const LIMIT_KEYS = ['max_chars', 'max_lines', 'truncation_strategy'] as const;
/** Whether the outputs of a tool are saved, and for how long. */
const RETENTION_KEYS = ['save', 'retention_days'] as const;
const TOOL_KEYS = ['show_context', 'max_depth', 'max_files'] as const;

/**
 * Options from a plain object, such as a parsed YAML or JSON file: `tool_output_limits` with `default` and `tools`, and
 * `summarization`. An unknown key, a wrong type or an invalid value throws with its name in the file.
 *
 * `head_tail` is `keep: 'ends'`, and `head_only` is `'head'`. `summarize` lets a model summarize while `summarization.enabled`
 * is true; otherwise it is `head_tail`. Limits in characters leave room for three bytes each, and the preview fills them.
 *
 * @example
 * const { toolOptions, ...limits } = truncationOptionsFromObject(parse(await readFile('tools.yaml', 'utf8')), { tools });
 * const bounded = truncateToolOutputs(tools, { store, scope: chatId, ...limits });
 */
export function truncationOptionsFromObject<TOOLS extends object = Record<string, unknown>>(
  object: unknown,
  options: ReadObjectOptions<TOOLS> = {},
): ObjectOptions<TOOLS> {
  requireReadOptions(options);
  const file = sectionOf(object, { at: '', keys: ['tool_output_limits', 'summarization'] });
  const limits = subsectionOf(file, 'tool_output_limits', ['default', 'tools']);
  const keepOf = keepByStrategy(subsectionOf(file, 'summarization', SUMMARIZATION_KEYS), options);
  const all = readLimits(subsectionOf(limits, 'default', LIMIT_KEYS), { keepOf });
  const ofTools = subsectionOf(limits, 'tools');
  const perTool: [string, ToolTruncation][] = [];
  const toolOptions: [string, ToolOptions][] = [];
  for (const name of Object.keys(ofTools.values)) {
    if (options.tools) requireToolName(name, { option: ofTools.at, tools: options.tools });
    const section = subsectionOf(ofTools, name, [...LIMIT_KEYS, ...RETENTION_KEYS, ...TOOL_KEYS]);
    perTool.push([name, { ...readLimits(section, { keepOf, all }), ...readRetention(section) } as ToolTruncation]);
    toolOptions.push([name, readToolOptions(section)]);
  }
  return {
    ...all,
    perTool: withoutEmpty(perTool) as ObjectOptions<TOOLS>['perTool'],
    toolOptions: withoutEmpty(toolOptions) as ObjectOptions<TOOLS>['toolOptions'],
  };
}

function withoutEmpty<VALUE extends object>(entries: [string, VALUE][]): Record<string, VALUE> {
  return Object.fromEntries(entries.filter(([, value]) => Object.keys(value).length > 0));
}

/** Without the right `tools` option, a misspelt name in the file would not be found. */
function requireReadOptions(options: unknown): void {
  requireOptions(options, { known: ['tools', 'model', 'onSummary'], at: 'options' });
  const { tools, model } = options;
  const hasNames = tools === undefined || isRecord(tools);
  requireOption(hasNames, {
    option: 'options.tools',
    value: tools,
    expected: 'an object with the names of your tools',
  });
  const isModel = model === undefined || isRecord(model) || typeof model === 'string' || typeof model === 'function';
  requireOption(isModel, { option: 'options.model', value: model, expected: 'a model, or a function that makes one' });
}

/** Settings that the section of a tool does not have come from `all`. */
function readLimits(
  section: ConfigSection,
  { keepOf, all }: { keepOf: KeepOf; all?: TruncationLimits },
): TruncationLimits {
  const strategy = wordOf(section, 'truncation_strategy', STRATEGIES);
  const maxChars = wholeNumberOf(section, 'max_chars', { min: MIN_CHARS, max: MAX_CHARS });
  const keep = strategy && keepOf(strategy, { maxChars: maxChars ?? (all?.maxChars || undefined), at: section.at });
  const maxLines = wholeNumberOf(section, 'max_lines', { min: 1 });
  requireLinesForEnds({ keep: keep ?? all?.keep, maxLines: maxLines ?? all?.maxLines }, section.at);
  // The file has no byte limits, so the byte limit is large enough for its characters in any script.
  const maxBytes = maxChars && Math.max(MIN_BYTES, MAX_BYTES_PER_CHAR * maxChars);
  const previewBytes = maxBytes && Math.min(maxBytes, MAX_PREVIEW_BYTES);
  return withoutUndefined({ maxLines, maxChars, maxBytes, previewBytes, keep }) as TruncationLimits;
}

function requireLinesForEnds({ keep, maxLines }: TruncationLimits, at: string): void {
  if (keep !== 'ends' || maxLines === undefined) return;
  requireWholeNumber(`${at}.max_lines`, { value: maxLines, min: MIN_ENDS_LINES, because: 'with `head_tail`' });
}

/** A higher limit bounds nothing that a context could contain. */
const MAX_CHARS = 100_000_000;

function readRetention(section: ConfigSection): { save?: boolean; retentionDays?: number } {
  const save = wordOf(section, 'save', [true, false]);
  const retentionDays = wholeNumberOf(section, 'retention_days', { min: 1, max: MAX_RETENTION_DAYS });
  const expected = 'left out with `save: false`, because nothing is stored';
  const isStored = save !== false || retentionDays === undefined;
  requireOption(isStored, { option: `${section.at}.retention_days`, value: retentionDays, expected });
  return withoutUndefined({ save, retentionDays });
}

function readToolOptions(section: ConfigSection): ToolOptions {
  return withoutUndefined(Object.fromEntries(TOOL_KEYS.map((key) => [key, wholeNumberOf(section, key, { min: 0 })])));
}

/** Converts the name of a strategy to `keep`. `at` is the section that chose it, for the error. */
type KeepOf = (
  strategy: (typeof STRATEGIES)[number],
  chosen: { maxChars: number | undefined; at: string },
) => PreviewKeep;

/**
 * Reads `summarization`, which enables the cost of summaries. While `enabled` is not true, `summarize` is `head_tail`, which is
 * also its fallback.
 */
function keepByStrategy(section: ConfigSection, { model, onSummary }: ReadObjectOptions<object>): KeepOf {
  const isEnabled = wordOf(section, 'enabled', [true, false]) ?? false;
  const name = textOf(section, 'model');
  const triggerChars = wholeNumberOf(section, 'trigger_threshold', { min: 0 });
  const maxInputChars = wholeNumberOf(section, 'max_input_chars', { min: 1000, max: MAX_INPUT_CHARS });
  return (strategy, { maxChars, at }) => {
    if (strategy === 'head_only') return 'head';
    if (strategy === 'head_tail' || !isEnabled) return 'ends';
    const chars = maxChars === undefined ? undefined : Math.min(maxChars, MAX_INPUT_CHARS);
    const rest = withoutUndefined({ triggerChars, maxInputChars, maxChars: chars, onSummary });
    return summarize({ model: modelOf(model, { name, at }), ...rest });
  };
}

function modelOf(
  model: ReadObjectOptions['model'],
  { name, at }: { name: string | undefined; at: string },
): LanguageModel {
  if (model !== undefined && typeof model !== 'function') return model;
  if (model !== undefined && name !== undefined) return model(name);
  const expected =
    model === undefined
      ? `a model, or a function that makes one, since \`${at}.truncation_strategy\` is summarize`
      : 'a model, since `summarization.model` names none for the function to make';
  throw new InvalidOptionError({ option: 'options.model', value: model, expected });
}
