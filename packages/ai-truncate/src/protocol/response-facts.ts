import { now } from '../deadlines.ts';
import { InvalidOptionError } from '../errors.ts';
import { isRecord } from './is-record.ts';
import { toProjectPath } from './project-path.ts';
import type { ToolResponseContext, ToolResponseStats } from './tool-response.ts';

/** What every answer tells beside its result: what was asked, where it was done, what it cost. */
export interface ResponseFacts {
  /** The parameters as the tool got them. They stand in `context.params_input`, unchanged. */
  input: unknown;
  /** `performance.now()` when the tool began. What has gone by since is `stats.time_ms`. */
  startedAt: number;
  /** Where the tool worked: relative to the project root, or absolute together with `root`. @default '.' */
  cwd?: string | undefined;
  /** The project root, absolute. Never shown. */
  root?: string | undefined;
  /** The path that was meant, once it is resolved: relative to the project root, or absolute together with `root`. */
  pathResolved?: string | undefined;
  /** Counts of the tool's own, e.g. `total_matches`. */
  stats?: (Record<string, number | string> & { time_ms?: never }) | undefined;
  /** What else a reader of the log should know. */
  context?: (Record<string, unknown> & { [NAME in OwnContext]?: never }) | undefined;
  /**
   * The answer bounds its own size (it is a page, say), and `truncateToolOutputs` lets it pass whole. An option and not a key
   * of `context`: what a tool relays there (a page, a file, another server's answer) could claim it.
   * @default false
   */
  truncationSkip?: boolean | undefined;
}

/** What has an option of its own, or is not for a relayed context to say. */
const OWN_CONTEXT = {
  cwd: 'cwd',
  params_input: 'input',
  path_resolved: 'pathResolved',
  truncation_skip: 'truncationSkip',
};

type OwnContext = keyof typeof OWN_CONTEXT;

/** `stats` and `context` of an answer; throws for a fact that cannot be. */
export function responseFacts(facts: ResponseFacts): { stats: ToolResponseStats; context: ToolResponseContext } {
  const { input = {}, pathResolved, stats = {}, context = {}, truncationSkip = false } = facts;
  for (const [option, value] of Object.entries({ stats, context })) {
    if (!isRecord(value)) throw new InvalidOptionError({ option, value, expected: 'an object' });
  }
  if (typeof truncationSkip !== 'boolean') {
    throw new InvalidOptionError({ option: 'truncationSkip', value: truncationSkip, expected: '`true` or `false`' });
  }
  for (const [name, option] of Object.entries(OWN_CONTEXT)) {
    if (!Object.hasOwn(context, name)) continue;
    const expected = `given by the option \`${option}\`, and absent here`;
    throw new InvalidOptionError({ option: `context.${name}`, value: context[name], expected });
  }
  if (Object.hasOwn(stats, 'time_ms')) {
    throw new InvalidOptionError({ option: 'stats.time_ms', value: stats.time_ms, expected: 'absent: it is measured' });
  }
  return {
    stats: { time_ms: requireElapsed(facts.startedAt), ...stats },
    context: {
      cwd: requireInside('cwd', facts.cwd ?? '.', facts.root),
      params_input: input,
      ...(pathResolved === undefined ? {} : { path_resolved: requireInside('pathResolved', pathResolved, facts.root) }),
      ...context,
      ...(truncationSkip ? { truncation_skip: true } : {}),
    },
  };
}

function requireElapsed(startedAt: number): number {
  const elapsed = now() - startedAt;
  if (typeof startedAt === 'number' && startedAt >= 0 && elapsed >= 0) return Math.round(elapsed);
  // A `Date.now()` is far in the future of this clock.
  const expected = 'the value of `performance.now()` when the tool began';
  throw new InvalidOptionError({ option: 'startedAt', value: startedAt, expected });
}

function requireInside(option: string, path: unknown, root: unknown): string {
  const isRight = typeof path === 'string' && (root === undefined || typeof root === 'string');
  const relative = isRight ? toProjectPath(path, root) : undefined;
  if (relative !== undefined) return relative;
  const expected = 'inside the project: relative to its root, or absolute below an absolute `root`';
  throw new InvalidOptionError({ option, value: path, expected });
}
