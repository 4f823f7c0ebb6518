import { tool } from 'ai';
import { failure, partial, success, type ToolResponse } from 'ai-truncate/protocol';
import { z } from 'zod';
import type { EditData } from './chat-message';
import { editWords } from './edit-words';
import { applyPatch } from './unified-patch';
import { maxFileChars, type Workspace } from './workspace';

const editInput = z.object({
  path: z.string().min(1).max(200),
  patch: z.string().min(1).max(32_768),
  dryRun: z.boolean().default(false),
});

/** Changes a file of the workspace, or shows what it would change. It answers in the envelope of the tool response protocol. */
export const editFileTool = (workspace: Workspace) =>
  tool({
    description: editWords.description,
    inputSchema: editInput,
    execute: (input) => editFile(workspace, input),
  });

/** A real change needs the visitor's word; a dry run changes nothing. */
export function editApproval({
  dryRun,
}: {
  dryRun: boolean;
}): 'not-applicable' | { type: 'user-approval'; reason: string } {
  return dryRun ? 'not-applicable' : { type: 'user-approval', reason: editWords.approvalReason };
}

async function editFile(workspace: Workspace, input: z.output<typeof editInput>): Promise<ToolResponse<EditData>> {
  const { path, patch, dryRun } = input;
  const facts = { input, startedAt: performance.now() };
  const before = workspace.read(path);
  if (before === undefined) {
    return failure({
      code: 'NOT_FOUND',
      message: editWords.notFound(path),
      next: editWords.chooseFrom(workspace.paths()),
      ...facts,
    });
  }
  const patched = applyPatch(before, patch);
  if (patched.status === 'malformed') {
    return failure({ code: 'INVALID_PARAM', message: patched.message, next: editWords.repairPatch, ...facts });
  }
  if (patched.status === 'conflict') {
    return failure({ code: 'CONFLICT', message: patched.message, next: editWords.readAgain(path), ...facts });
  }
  if (patched.text.length > maxFileChars) {
    return failure({
      code: 'INVALID_PARAM',
      message: editWords.tooLarge(maxFileChars),
      next: editWords.repairPatch,
      ...facts,
    });
  }
  const { diff, linesAdded: added, linesRemoved: removed } = patched;
  const data = { path, diff, lines_added: added, lines_removed: removed };
  if (dryRun) {
    const happened = editWords.wouldChange({ path, added, removed });
    return partial({
      data: { ...data, applied: false },
      happened,
      next: editWords.applyIt,
      pathResolved: path,
      ...facts,
    });
  }
  await workspace.write(path, patched.text);
  const happened = editWords.changed({ path, added, removed });
  return success({
    data: { ...data, applied: true },
    happened,
    next: editWords.runTests,
    pathResolved: path,
    ...facts,
  });
}
