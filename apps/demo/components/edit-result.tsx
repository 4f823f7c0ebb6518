import type { EditData } from '../agent/chat-message';
import { DiffView } from './diff-view';

/** What an edit did, or would do: the difference, and whether the file has it. */
export function EditResult({ data }: { data: EditData }) {
  return (
    <div className="flex flex-col gap-2.5">
      <p className="text-muted text-sm">
        {data.applied ? 'The file was changed' : 'Dry run: the file was not changed'} · {data.lines_added} added ·{' '}
        {data.lines_removed} removed
      </p>
      <DiffView diff={data.diff} path={data.path} label={`Difference in ${data.path}`} />
    </div>
  );
}

/** The data of an `editFile` answer, where an output has that shape. */
export function editDataOf(output: unknown): EditData | undefined {
  if (typeof output !== 'object' || output === null || !('data' in output)) return undefined;
  const { data } = output;
  const isEdit = typeof data === 'object' && data !== null && 'diff' in data && 'applied' in data;
  return isEdit && typeof data.diff === 'string' ? (data as EditData) : undefined;
}
