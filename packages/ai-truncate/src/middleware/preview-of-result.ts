import { now } from '../deadlines.ts';
import { createOutputScanner } from '../delivery/output-scanner.ts';
import { outcomeOf } from '../delivery/tool-outcome.ts';
import { type TruncationEvent, toTruncationEvent } from '../delivery/truncation-event.ts';
import { serialize } from '../json/serialize.ts';
import { notify } from '../options.ts';
import { inTurns, pace } from '../pace.ts';
import { previewInSteps } from '../preview/preview.ts';
import { planPreview } from '../preview/preview-plan.ts';
import { modelText } from '../text/frame.ts';
import { byteLength } from '../text/utf.ts';
import type { SentToolResult, ToolResultBounding } from './tool-result-bounding.ts';

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
  const shown = await inTurns(previewInSteps(scanned, { keep: limits.keep, limits: plan.limits }));
  const text = modelText({ text: plan.noticeAndHint(shown.part), preview: shown.text });
  const kept = { keptLines: shown.lines, keptBytes: shown.bytes, sentBytes: byteLength(text) };
  tellOfCut(cut, { reason, lines, bytes, ...kept, endedAt: startedAt });
  return text;
}

/** Nothing is kept here, so that no reader can help; the tool itself may, where the application says that it can be called. */
export function unkept({ result: { toolName }, tools }: Pick<CutResult, 'result' | 'tools'>): {
  path: null;
  tools: string[];
  repeatable: string | undefined;
} {
  return { path: null, tools: [], repeatable: tools.includes(toolName) ? toolName : undefined };
}

/** Names come with the history, and so from anyone. */
const MAX_NAME_CHARS = 128;

export function tellOfCut(
  { result, onTruncate }: Pick<CutResult, 'result' | 'onTruncate'>,
  counted: Pick<TruncationEvent, 'reason' | 'lines' | 'bytes' | 'keptLines' | 'keptBytes' | 'sentBytes'> & {
    endedAt: number;
  },
): void {
  const toolName = result.toolName.slice(0, MAX_NAME_CHARS);
  const toolCallId = result.toolCallId.slice(0, MAX_NAME_CHARS);
  notify(onTruncate, toTruncationEvent({ entrance: 'middleware', toolName, toolCallId, ...counted, path: null }));
}
