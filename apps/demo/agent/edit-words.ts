interface Change {
  path: string;
  added: number;
  removed: number;
}

/** The texts of `editFile` for models, and for visitors when it asks for their approval. */
export const editWords = {
  description:
    'Changes one file of the workspace by a unified diff (hunks with @@ -line,count +line,count @@ and unchanged lines around the change). With dryRun: true, nothing is written and the output describes the change. Do that first. A real change needs the approval of the visitor.',
  approvalReason: 'This edits a file in the workspace.',
  notFound: (path: string) => `There is no file "${path}" in the workspace.`,
  chooseFrom: (paths: string[]) => `Use one of: ${paths.join(', ')}.`,
  repairPatch: 'Call editFile again with a corrected `patch`.',
  readAgain: (path: string) => `Read ${path} with readFile and make a new patch from its content.`,
  tooLarge: (maxChars: number) => `The file would have more than ${maxChars.toLocaleString('en')} characters.`,
  wouldChange: ({ path, added, removed }: Change) =>
    `The patch fits ${path}: ${added} lines added, ${removed} removed.`,
  applyIt: 'Call editFile with the same `patch` and dryRun: false to apply it.',
  changed: ({ path, added, removed }: Change) => `Changed ${path}: ${added} lines added, ${removed} removed.`,
  runTests: 'Call runTests to see whether the tests pass.',
};
