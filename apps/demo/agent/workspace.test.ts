import { expect, test } from 'vitest';
import type { EditData } from './chat-message';
import { editApproval, editFileTool } from './edit-file';
import { runShippingTests, testedFile } from './shipping-tests';
import { workspaceOf } from './workspace';

const call = { toolCallId: 'call', messages: [], context: {} };
const newWorkspace = () => {
  const saved: { path: string; content: string }[] = [];
  const workspace = workspaceOf(new Map(), async (file) => void saved.push(file));
  const edit = async (input: { path?: string; patch: string; dryRun?: boolean }) =>
    (await editFileTool(workspace).execute?.({ path: testedFile, dryRun: false, ...input }, call)) as {
      status: string;
      data: EditData;
      error?: { code: string };
      text: string;
    };
  return { workspace, saved, edit };
};
const printed = (configuration: string | undefined) => [...runShippingTests(configuration)].join('');
const fix = '@@ -58,3 +58,3 @@\n   "IE": {\n-    "freeFrom": 60.5,\n+    "freeFrom": 60,\n     "fee": 5.9';

test('one of more than 2,000 tests fails, in the middle, in colour, and the exit status says so', () => {
  const lines = printed(newWorkspace().workspace.read(testedFile)).split('\n');
  expect(lines.length).toBeGreaterThan(2_000);
  const failures = lines.flatMap((line, index) => (line.includes(' FAIL ') ? [index] : []));
  expect(failures).toHaveLength(1);
  expect(Number(failures[0]) / lines.length).toBeCloseTo(0.52, 1);
  expect(lines[Number(failures[0])]).toContain('\u001b[31m');
  expect(lines.slice(-2)).toEqual(['exit status 1', '']);
});

test('the failure names the line with the wrong number', () => {
  const configuration = String(newWorkspace().workspace.read(testedFile));
  const line = Number(printed(configuration).match(/shipping\.json:(\d+)/)?.[1]);
  expect(configuration.split('\n')[line - 1]).toContain('60.5');
});

test('with the right number in the file all tests pass, and with other mistakes tests fail', async () => {
  const { workspace, edit } = newWorkspace();
  expect(await edit({ patch: fix })).toMatchObject({ status: 'success', data: { applied: true } });
  expect(printed(workspace.read(testedFile))).toContain('exit status 0');
  expect(printed('{"DE":')).toContain('is no JSON');
  expect(printed(undefined)).toContain('does not exist');
  expect(printed('{}').match(/ FAIL /g)?.length).toBeGreaterThan(100);
});

test('a dry run says what would change, and changes nothing', async () => {
  const { workspace, saved, edit } = newWorkspace();
  const before = workspace.read(testedFile);
  expect(await edit({ patch: fix, dryRun: true })).toMatchObject({
    status: 'partial',
    data: { applied: false, lines_added: 1, lines_removed: 1, diff: expect.stringContaining('+    "freeFrom": 60,') },
  });
  expect(workspace.read(testedFile)).toBe(before);
  expect(saved).toEqual([]);
});

test('a patch of an older version of the file is a CONFLICT', async () => {
  const { edit } = newWorkspace();
  await edit({ patch: fix });
  expect(await edit({ patch: fix })).toMatchObject({ status: 'error', error: { code: 'CONFLICT' } });
});

test.each([
  [{ path: '../../.env', patch: fix }, 'NOT_FOUND'],
  [{ patch: 'make it right' }, 'INVALID_PARAM'],
  [{ patch: `@@ -1,0 +1,1 @@\n+${'x'.repeat(70_000)}` }, 'INVALID_PARAM'],
])('%j is refused', async (input, code) => {
  expect(await newWorkspace().edit(input)).toMatchObject({ status: 'error', error: { code } });
});

test('a change that cannot be saved is not made', async () => {
  const workspace = workspaceOf(new Map(), () => Promise.reject(new Error('disk full')));
  const before = workspace.read(testedFile);
  await expect(
    editFileTool(workspace).execute?.({ path: testedFile, patch: fix, dryRun: false }, call),
  ).rejects.toThrow('disk full');
  expect(workspace.read(testedFile)).toBe(before);
});

test('only a real change needs the approval of the visitor', () => {
  expect(editApproval({ dryRun: true })).toBe('not-applicable');
  expect(editApproval({ dryRun: false })).toMatchObject({ type: 'user-approval' });
});
