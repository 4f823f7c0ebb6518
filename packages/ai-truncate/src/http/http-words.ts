/** What a page, and who wrote it, reads when an artifact is not given. Nothing here tells what the server or another owner has. */
export const httpWords = {
  notFound:
    'There is no such artifact here: it was deleted, it expired, or the address is not exactly the one that was given.',
  methodNotAllowed: 'Artifacts are only read here: use GET or HEAD.',
  crossSite: 'Artifacts are only given to pages of this site.',
  parameterTwice: 'given at most once',
  oneDirection: 'left out beside `from`: a search goes on from a place, or back from one',
  oneRange: (bytes: number): string =>
    `\`Range\` must be one range within the ${bytes} bytes of this artifact: \`bytes=0-99\`, \`bytes=100-\` or \`bytes=-100\`.`,
  preconditionFailed: 'The artifact is not the one that `If-Match` names.',
  noText: (kind: string): string =>
    `This artifact is no text (${kind}), so it has no characters and cannot be searched. Download it with \`/raw\`.`,
  tooSlow: 'The answer took too long. Ask for less, or try again.',
  storeFailed: 'The artifact could not be read now. Try again.',
  internalError: 'The artifact could not be given. What went wrong is in the log of the server.',
} as const;
