import type { LanguageModel, ToolSet } from 'ai';
import { type TruncationEvent, truncateToolOutputs } from 'ai-truncate';
import { artifactStore } from '../lib/artifact-store';
import { environment } from '../lib/environment';
import { editFileTool } from './edit-file';
import { queryOrders } from './query-orders';
import { readDoc } from './read-doc';
import { readFileTool } from './read-file';
import { readServerLogs } from './read-server-logs';
import { runTestsTool } from './run-tests';
import { searchDocs } from './search-docs';
import type { Workspace } from './workspace';

export interface ChatToolsOptions {
  /** Owns the artifacts: what one chat keeps, no other reads. */
  chatKey: string;
  workspace: Workspace;
  exploreModel: LanguageModel;
  onTruncate?: (event: TruncationEvent) => void;
}

/** The tools of one chat. Whatever they return is bounded for the model, the page and the log, and all of it is kept. */
export function chatTools({ workspace, exploreModel, ...owner }: ChatToolsOptions) {
  const { keeping, perTool } = keepingOf(owner);
  return truncateToolOutputs(
    {
      readServerLogs,
      queryOrders,
      searchDocs,
      readDoc,
      runTests: runTestsTool(workspace),
      readFile: readFileTool(workspace),
      editFile: editFileTool(workspace),
    },
    { ...keeping, ...(perTool && { perTool }), explore: { model: exploreModel } },
  );
}

/** The tools of an MCP server, bounded like those of the demo. One that has a name of theirs is called `mcp_<name>`. */
export function boundedMcpTools(tools: ToolSet, { taken, ...owner }: Owner & { taken: ToolSet }): ToolSet {
  const named = Object.entries(tools).map(([name, tool]) => [Object.hasOwn(taken, name) ? `mcp_${name}` : name, tool]);
  return truncateToolOutputs(Object.fromEntries(named) as ToolSet, { ...keepingOf(owner).keeping, readers: false });
}

type Owner = Pick<ChatToolsOptions, 'chatKey' | 'onTruncate'>;

function keepingOf({ chatKey, onTruncate }: Owner) {
  const { directory: _, perTool, ...limits } = environment().toolOutput;
  return { perTool, keeping: { store: artifactStore(), scope: chatKey, ...(onTruncate && { onTruncate }), ...limits } };
}
