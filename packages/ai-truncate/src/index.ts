/**
 * The public surface: named exports, nothing else. A line added here is a decision about the API.
 * No `node:` module is reachable from here, so it runs in browsers and at the edge.
 */

// Text
export { type TruncatedText, type TruncateTextOptions, truncateText } from './truncation/truncate-text.ts';

// What stands in place of an output that is too large
export { isTruncatedOutput, type TruncatedOutput } from './protocol/truncated-output.ts';

// Limits
export { defaultLimits, type PreviewKeep, type TruncationLimits } from './truncation/truncation-limits.ts';

// Errors
export { AiTruncateError, InvalidOptionError } from './errors.ts';
