import type { ModelMessage, ToolResultPart } from 'ai';
import { artifactNameOf, isNameOfCall } from '../../artifacts/artifact-name.ts';
import {
  type FoundArtifact,
  type HistoryArtifacts,
  type NamedContent,
  nameContent,
  openHistory,
} from '../../artifacts/history-artifacts.ts';
import { DEFAULT_SAVE_TIMEOUT_MS } from '../../artifacts/resolve-scope.ts';
import { countFailure, forgetFailures, requireAwake } from '../../artifacts/save-output.ts';
import type { StorageOptions } from '../../artifacts/storage-options.ts';
import { startDeadline, untilAborted } from '../../deadlines.ts';
import { redactedOf, redactModelOutput } from '../../delivery/redact-output.ts';
import { AiTruncateError } from '../../errors.ts';
import { serialize } from '../../json/serialize.ts';
import { pace } from '../../pace.ts';
import type { Hint } from '../../preview/notice-and-hint-words.ts';
import type { RedactedCounts, Redactor } from '../../text/redaction.ts';
import { historyReference } from './history-words.ts';
import { type MovableOutput, movableOutput } from './measure-history.ts';
import type { Eviction } from './plan-history.ts';

/** The store for the results, and the text of their references. */
export interface MoveOptions extends StorageOptions {
  hint: Hint;
  /** Removes secrets before anything is saved or shown. */
  redactor: Redactor | undefined;
  abortSignal: AbortSignal | undefined;
}

/** A result of the plan: replaced with a reference, or still in place because of an error. */
export type Moved = { eviction: Eviction; result: ToolResultPart } & (
  | { path: string; reference: string; redacted?: RedactedCounts }
  | { error: unknown }
);

/** A result that is moved out, with the text to save. */
interface Leaving extends Pick<MovableOutput, 'beginning'> {
  eviction: Eviction;
  result: ToolResultPart;
  content: NamedContent;
  /** The name of the full output, if the first guard saved it. */
  fullName: string | undefined;
}

/** Saves the results that do not exist in the store, and makes the references. Rejects only if the caller aborts. */
export async function moveResults(
  messages: readonly ModelMessage[],
  { evictions, options }: { evictions: readonly Eviction[]; options: MoveOptions },
): Promise<Moved[]> {
  const { store, saveTimeoutMs = DEFAULT_SAVE_TIMEOUT_MS, abortSignal } = options;
  const leaving: Leaving[] = [];
  for (const eviction of evictions) {
    const leaves = await leavingResult(messages, { eviction, options });
    if (leaves) leaving.push(leaves);
  }
  const toReason = () =>
    new AiTruncateError(`The store did not save the results of the conversation within ${saveTimeoutMs} ms.`, {
      code: 'STORE_TIMEOUT',
    });
  // There is one time limit for all results, because a request to the model is waiting.
  const { signal, end } = startDeadline(saveTimeoutMs, { abortSignal, toReason });
  const stay = (error: unknown): Moved[] => {
    abortSignal?.throwIfAborted();
    return leaving.map(({ eviction, result }) => ({ eviction, result, error }));
  };
  try {
    requireAwake(store);
    const history = await untilAborted(openHistory({ ...options, abortSignal: signal }), signal);
    return await saveMissing(leaving, { history, options, signal }).catch((error: unknown) => {
      if (!abortSignal?.aborted) countFailure(store, error);
      return stay(error);
    });
  } catch (error) {
    return stay(error);
  } finally {
    end();
  }
}

/** The text of a result in its saved form. Secrets are replaced before the name is computed from the content. */
async function leavingResult(
  messages: readonly ModelMessage[],
  { eviction, options }: { eviction: Eviction; options: MoveOptions },
): Promise<Leaving | undefined> {
  const { redactor, abortSignal } = options;
  const result = messages[eviction.message]?.content[eviction.part] as ToolResultPart | undefined;
  if (!result) return undefined;
  const redacted: RedactedCounts = {};
  const clean = redactor ? await redactModelOutput(result.output, { redactor, counts: redacted }) : result.output;
  const movable = await movableOutput({ ...result, output: clean });
  if (!movable) return undefined;
  const { output, statedPath, beginning } = movable;
  const { toolName, toolCallId } = result;
  const chunks: string[] = [];
  for await (const chunk of pace(serialize(output, { indent: 2 }).chunks, { abortSignal })) chunks.push(chunk);
  const isValue = typeof output !== 'string';
  const content = await nameContent({ toolName, toolCallId, chunks, isValue, redacted });
  const stated = statedPath === null ? undefined : artifactNameOf(statedPath);
  // A tool can relay any path. Only an artifact of the same call can be its full output.
  const fullName = stated !== undefined && isNameOfCall(stated, { toolName, toolCallId }) ? stated : undefined;
  return { eviction, result, content, beginning, fullName };
}

interface Saving {
  history: HistoryArtifacts;
  options: MoveOptions;
  signal: AbortSignal;
}

/** The most saves at once. */
const SAVES_AT_ONCE = 8;

/** Asks the store once which artifacts exist, and saves the others. Rejects if the store cannot answer. */
async function saveMissing(leaving: readonly Leaving[], saving: Saving): Promise<Moved[]> {
  const { history, options, signal } = saving;
  const names = leaving.flatMap(({ content, fullName = content.name }) => [content.name, fullName]);
  const found = await untilAborted(history.find([...new Set(names)], signal), signal);
  const moved: Moved[] = [];
  for (let at = 0; at < leaving.length; at += SAVES_AT_ONCE) {
    const batch = leaving.slice(at, at + SAVES_AT_ONCE);
    moved.push(...(await Promise.all(batch.map((each) => moveResult(each, { ...saving, found })))));
  }
  options.abortSignal?.throwIfAborted();
  const failed = moved.find((each) => 'error' in each);
  if (failed && 'error' in failed) countFailure(options.store, failed.error);
  else forgetFailures(options.store);
  return moved;
}

async function moveResult(
  { eviction, result, content, fullName, beginning }: Leaving,
  { history, found, options, signal }: Saving & { found: ReadonlyMap<string, FoundArtifact> },
): Promise<Moved> {
  try {
    const full = fullName === undefined ? undefined : found.get(fullName);
    if (fullName !== undefined && full) return { eviction, result, ...reference(fullName, full.bytes) };
    const existing = found.get(content.name);
    if (!existing || existing.isExpiring) {
      const save = history.save(content, { replacesExpiring: existing !== undefined, signal });
      await untilAborted(save, signal);
    }
    const { name, bytes, redacted } = content;
    return { eviction, result, ...reference(name, bytes), ...redactedOf(redacted) };
  } catch (error) {
    return { eviction, result, error };
  }

  function reference(name: string, bytes: number): { path: string; reference: string } {
    const paths = history.pathsOf(name);
    const { toolName } = result;
    const facts = { toolName, bytes, beginning, hint: options.hint, ...paths };
    return { path: paths.path, reference: historyReference(facts) };
  }
}

/** The messages with the references in place of the results. All other messages are the same objects. */
export function withReferences(messages: readonly ModelMessage[], moved: readonly Moved[]): ModelMessage[] {
  const changed = [...messages];
  for (const each of moved) {
    if (!('reference' in each)) continue;
    const { eviction, result, reference } = each;
    const { providerOptions } = result.output as { providerOptions?: object };
    const output = { type: 'text', value: reference, ...(providerOptions && { providerOptions }) };
    const message = changed[eviction.message] as ModelMessage;
    const content: unknown[] = [...message.content];
    content[eviction.part] = { ...result, output };
    changed[eviction.message] = { ...message, content } as ModelMessage;
  }
  return changed;
}
