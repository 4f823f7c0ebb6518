import type { LanguageModel } from 'ai';
import { InvalidOptionError } from '../errors.ts';
import { type SummarizeOptions, summarize } from '../extras/summarize.ts';
import type { PreviewKeep } from '../preview/limits.ts';
import { type ConfigSection, textOf, wholeNumberOf, wordOf } from './config-section.ts';

export interface SummarizationOptions {
  /** Sums up where the strategy is `summarize`: a model, or what makes one of the name under `summarization.model`. */
  model?: LanguageModel | ((name: string) => LanguageModel);
  /** Told of each summary. */
  onSummary?: SummarizeOptions['onSummary'];
}

export const STRATEGIES = ['head_tail', 'head_only', 'summarize'] as const;
export const SUMMARIZATION_KEYS = ['enabled', 'model', 'max_input_chars', 'trigger_threshold'] as const;

/** What a strategy is called here. `at` is the section that chose it, for the error. */
export type KeepOf = (
  strategy: (typeof STRATEGIES)[number],
  chosen: { maxChars: number | undefined; at: string },
) => PreviewKeep;

const MAX_INPUT_CHARS = 2_000_000;

/**
 * Reads `summarization`, the switch for what it costs: while `enabled` is not true, `summarize` is `head_tail`, what it falls back
 * to in any case.
 */
export function keepByStrategy(section: ConfigSection, { model, onSummary }: SummarizationOptions): KeepOf {
  const isEnabled = wordOf(section, 'enabled', [true, false]) ?? false;
  const name = textOf(section, 'model');
  const triggerChars = wholeNumberOf(section, 'trigger_threshold', { min: 0 });
  const maxInputChars = wholeNumberOf(section, 'max_input_chars', { min: 1000, max: MAX_INPUT_CHARS });
  return (strategy, { maxChars, at }) => {
    if (strategy === 'head_only') return 'head';
    if (strategy === 'head_tail' || !isEnabled) return 'ends';
    return summarize({
      model: modelOf(model, { name, at }),
      ...(triggerChars !== undefined && { triggerChars }),
      ...(maxInputChars !== undefined && { maxInputChars }),
      ...(maxChars !== undefined && { maxChars: Math.min(maxChars, MAX_INPUT_CHARS) }),
      ...(onSummary && { onSummary }),
    });
  };
}

function modelOf(
  model: SummarizationOptions['model'],
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
