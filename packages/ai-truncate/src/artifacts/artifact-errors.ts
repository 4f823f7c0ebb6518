import { AiTruncateError } from '../errors.ts';

/** No such artifact in this scope; whether another scope has it cannot be told from this. */
export class ArtifactNotFoundError extends AiTruncateError {
  constructor(path: string) {
    const shown = path.length > 200 ? `${path.slice(0, 200)}…` : path;
    super(
      `There is no artifact \`${shown}\` here: it was deleted, it expired, or the path is not exactly the one that was given.`,
      { code: 'ARTIFACT_NOT_FOUND' },
    );
    this.name = 'ArtifactNotFoundError';
  }

  static override isInstance(value: unknown): value is ArtifactNotFoundError {
    return AiTruncateError.isInstance(value) && value.code === 'ARTIFACT_NOT_FOUND';
  }
}

/** A tool output was larger than an artifact may be; nothing of it was kept. */
export class ArtifactTooLargeError extends AiTruncateError {
  constructor(maxArtifactBytes: number) {
    super(
      `The output is larger than \`maxArtifactBytes\` (${maxArtifactBytes}), so nothing of it was kept. Raise the limit.`,
      {
        code: 'ARTIFACT_TOO_LARGE',
      },
    );
    this.name = 'ArtifactTooLargeError';
  }

  static override isInstance(value: unknown): value is ArtifactTooLargeError {
    return AiTruncateError.isInstance(value) && value.code === 'ARTIFACT_TOO_LARGE';
  }
}
