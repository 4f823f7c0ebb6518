import type { ArtifactInfo } from '../artifacts/artifact-info.ts';
import { type HttpAnswer, jsonAnswer } from './http-answer.ts';
import type { ViewRequest } from './view-request.ts';

/** The answer to `…/<name>`: what is known of the artifact, dates as ISO 8601. */
export type ArtifactInfoAnswer = Omit<ArtifactInfo, 'createdAt' | 'expiresAt'> & {
  createdAt: string;
  expiresAt: string;
};

export async function infoView({ artifacts, name, signal: abortSignal }: ViewRequest): Promise<HttpAnswer> {
  const info = await artifacts.info(name, { abortSignal });
  const { createdAt, expiresAt } = info;
  const answer: ArtifactInfoAnswer = {
    ...info,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  };
  return jsonAnswer(answer);
}
