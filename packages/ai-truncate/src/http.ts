/**
 * `ai-truncate/http`: artifacts for the UI of an application. It uses web standards only, and no Node module is reachable from
 * here.
 */

// Answers, for the client
export type { ArtifactLine } from './artifacts/artifacts.ts';
export type { ArtifactCharsAnswer } from './http/chars-view.ts';
// The handler
export {
  type ArtifactHandler,
  type ArtifactHandlerOptions,
  type ArtifactInfoAnswer,
  type Authorized,
  createArtifactHandler,
} from './http/create-artifact-handler.ts';
export type { ArtifactGrepEvent, SearchEnding, SearchedPart } from './http/grep-view.ts';
export type { ArtifactErrorAnswer, ArtifactErrorCode } from './http/http-refusal.ts';
export type { ArtifactLinesAnswer } from './http/lines-view.ts';
