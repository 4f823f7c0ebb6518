import { now } from '../deadlines.ts';
import type { SentToolResult } from '../delivery/delivery.ts';
import { type TruncationEvent, toTruncationEvent } from '../delivery/events.ts';
import {
  isShortenedShell,
  measureShell,
  type SentShell,
  shellWords,
  shortenedShell,
} from '../delivery/openai-shell.ts';
import { outcomeOf } from '../delivery/reported-error.ts';
import { serialize } from '../json/serialize.ts';
import { notify } from '../options.ts';
import { pace } from '../pace.ts';
import { choosePreview, createOutputScanner } from '../preview/choose-preview.ts';
import type { KeepFunction, PreviewKeep, ResolvedLimits } from '../preview/limits.ts';
import { planPreview } from '../preview/preview-plan.ts';
import { modelText } from '../text/frame.ts';
import { createTextScan } from '../text/text-scan.ts';
import { byteLength } from '../text/utf.ts';

export type SentOutput = SentToolResult['output'];
export type SentContent = Extract<SentOutput, { type: 'content' }>;

/** Limits that make the same preview each time: no function, which may ask a model. */
export interface FixedLimits extends ResolvedLimits {
  keep: Exclude<PreviewKeep, KeepFunction>;
}

/** What holds for all results of a prompt. */
export interface ToolResultBounding {
  limits: FixedLimits;
  /** The names of the tools that the agent can call, for the hint. */
  tools: readonly string[];
  /** Further names of tools that are OpenAI's own, whose JSON keeps its shape. */
  openAiTools: readonly string[];
  abortSignal: AbortSignal | undefined;
  onTruncate: ((event: TruncationEvent) => void) | undefined;
}

export interface CutResult extends ToolResultBounding {
  result: SentToolResult;
  isError: boolean;
  reason: TruncationEvent['reason'];
}

/** What a model reads in place of a result that is too large and was not kept. */
export async function previewOfResult(value: unknown, cut: CutResult): Promise<string> {
  const startedAt = now();
  const { result, limits, reason, abortSignal } = cut;
  const scanner = createOutputScanner(limits);
  for await (const chunk of pace(serialize(value, { indent: 2 }).chunks, { abortSignal })) scanner.push(chunk);
  const scanned = await scanner.finish();
  const { lines, bytes, chars } = scanned.scan;
  const isError = cut.isError || outcomeOf(value).error !== undefined;
  const facts = { toolName: result.toolName, isError, ...unkept(cut) };
  const plan = planPreview(limits, { chars, facts });
  const shown = await choosePreview(scanned, { limits, room: plan.limits });
  const text = modelText({ text: plan.noticeAndHint(shown.part), preview: shown.text });
  const kept = { keptLines: shown.lines, keptBytes: shown.bytes, sentBytes: byteLength(text) };
  notifyOfCut(cut, { reason, lines, bytes, ...kept, endedAt: startedAt });
  return text;
}

/** The output of a shell in the shape that OpenAI checks, with shorter texts; `undefined` where it can stay. */
export async function shortenedRuns(
  output: Record<string, unknown>,
  { runs, result, bounding }: { runs: readonly unknown[]; result: SentToolResult; bounding: ToolResultBounding },
): Promise<SentShell | undefined> {
  const { limits, abortSignal, onTruncate } = bounding;
  if (isShortenedShell(runs, limits)) return undefined;
  const startedAt = now();
  const { reason } = await measureShell(output, { runs, limits });
  if (!reason) return undefined;
  const scanner = createTextScan({ headChars: 0, tailChars: 0, findsSalientLines: false });
  for await (const chunk of pace(serialize(output, { indent: 2 }).chunks, { abortSignal })) scanner.push(chunk);
  const { lines, bytes, chars } = scanner.finish();
  const facts = { toolName: result.toolName, isError: false, ...unkept({ ...bounding, result }) };
  const { sent, shown } = await shortenedShell(output, { runs, limits, text: shellWords(facts, chars) });
  notifyOfCut({ result, onTruncate }, { reason, lines, bytes, ...shown, endedAt: startedAt });
  return sent;
}

/** Nothing is kept here, so that no reader can help; the tool itself may, where the application says that it can be called. */
function unkept({ result: { toolName }, tools }: Pick<CutResult, 'result' | 'tools'>): {
  path: null;
  tools: string[];
  repeatable: string | undefined;
} {
  return { path: null, tools: [], repeatable: tools.includes(toolName) ? toolName : undefined };
}

/** Names come with the history, and so from anyone. */
const MAX_NAME_CHARS = 128;

function notifyOfCut(
  { result, onTruncate }: Pick<CutResult, 'result' | 'onTruncate'>,
  counted: Pick<TruncationEvent, 'reason' | 'lines' | 'bytes' | 'keptLines' | 'keptBytes' | 'sentBytes'> & {
    endedAt: number;
  },
): void {
  const toolName = result.toolName.slice(0, MAX_NAME_CHARS);
  const toolCallId = result.toolCallId.slice(0, MAX_NAME_CHARS);
  notify(onTruncate, toTruncationEvent({ entrance: 'middleware', toolName, toolCallId, ...counted, path: null }));
}
