/** Outputs of tools as the server delivers them, for cards that the demo's own tools do not fill. */

const head = Array.from({ length: 12 }, (_, index) => logLine(index + 1, 'INFO', 'request done'));
const tail = Array.from({ length: 8 }, (_, index) => logLine(9993 + index, 'INFO', 'request done'));

/** A preview with both ends, gaps, and a line out of the middle. */
export const logPreview = [
  ...head,
  '... [4,987 lines not shown: lines 13-4999] ...',
  `5000: ${logLine(5000, 'ERROR', 'order 48213 was not charged: certificate of payments.internal expired')}`,
  '... [4,992 lines not shown: lines 5001-9992] ...',
  ...tail,
].join('\n');

export const logPath = 'tool-output/tool_20260113_153045_read-server-logs_call-1_7f3k9q2m4x8p1z5c.txt';

interface TruncatedLogOptions {
  path?: string | null;
  /** Below 0: it has expired. */
  expiresInMs?: number;
}

/** What stands in place of a log of 40 MB. */
export function truncatedLog({ path = logPath, expiresInMs = 24 * 60 * 60_000 }: TruncatedLogOptions = {}) {
  return {
    status: 'partial',
    data: {
      truncated: true,
      truncation: {
        direction: 'auto',
        reason: 'bytes',
        max_lines: 2000,
        max_bytes: 51_200,
        original_lines: 10_000,
        original_bytes: 41_943_040,
        original_chars: 41_943_040,
        kept_lines: 21,
        kept_bytes: Buffer.byteLength(logPreview),
        full_output_path: path,
        media_type: 'text/plain',
        ...(path && { expires_at: new Date(Date.now() + expiresInMs).toISOString() }),
      },
      preview: logPreview,
    },
    text: [
      `readServerLogs succeeded, but its output is incomplete: 21 of 10,000 lines shown. ${path ? `Full output saved to: ${path}` : 'It was not saved and cannot be retrieved.'}`,
      ...(path
        ? ['Use grepArtifacts to search the full output, or readArtifact with offset/limit to view specific sections.']
        : []),
    ].join('\n'),
    stats: { time_ms: 412 },
    context: {
      cwd: '.',
      params_input: { service: 'checkout', hours: 24 },
      tool_name: 'readServerLogs',
      tool_call_id: 'call-1',
    },
  };
}

const quote = logLine(5000, 'ERROR', 'order 48213 was not charged: certificate of payments.internal expired');

function task(data: Record<string, unknown>, status = 'success') {
  return {
    status,
    data: { agent: 'explore', evidence: [], ...data },
    text: 'The sub-agent explore is done.',
    stats: { time_ms: 2100 },
    context: { cwd: '.', params_input: {} },
  };
}

/** A sub-agent at work. */
export const workingTask = task(
  {
    running: {
      phase: 'reading',
      step: 3,
      max_steps: 12,
      tool: 'grepArtifacts',
      label: '"certificate" in read-server-logs.txt',
    },
    evidence: [{ path: logPath, start_line: 5000, end_line: 5000, quote, verified: true }],
  },
  'partial',
);

/** What a sub-agent found: one quote that stands where it says, and one that does not. */
export const doneTask = task({
  conclusion: 'Checkout could not charge order 48213 because the certificate of payments.internal had expired.',
  evidence: [
    { path: logPath, start_line: 5000, end_line: 5000, quote, verified: true },
    { path: logPath, start_line: 5100, end_line: 5104, quote: 'all instances were restarted', verified: false },
  ],
  steps: 5,
  bytes_read: 48_213,
  usage: { input_tokens: 9100, output_tokens: 640, total_tokens: 9740 },
});

export const patch = [
  '--- a/price.ts',
  '+++ b/price.ts',
  '@@ -4,3 +4,3 @@',
  ' const tax = 0.2;',
  '-return net + tax;',
  '+return net * (1 + tax);',
  ' }',
].join('\n');

/** An edit that was only tried. */
export const dryRun = {
  status: 'partial',
  data: { applied: false, path: 'price.ts', diff: patch, lines_added: 1, lines_removed: 1 },
  text: 'Dry run: price.ts would change in 1 place. Call editFile with dryRun: false to apply it.',
  stats: { time_ms: 3 },
  context: { cwd: '.', params_input: { path: 'price.ts' } },
};

/** An edit of a file that somebody else changed. */
export const conflict = {
  status: 'error',
  data: {},
  text: 'price.ts was changed since it was read. Read it again and make a new patch.',
  error: { code: 'CONFLICT', message: 'The file has changed.' },
  stats: { time_ms: 3 },
  context: { cwd: '.', params_input: { path: 'price.ts' } },
};

function logLine(line: number, level: string, message: string): string {
  const seconds = String(line % 60).padStart(2, '0');
  return `2026-01-13T02:${String(Math.floor(line / 600) % 60).padStart(2, '0')}:${seconds}Z ${level.padEnd(5)} checkout-2 line ${line} ${message}`;
}
