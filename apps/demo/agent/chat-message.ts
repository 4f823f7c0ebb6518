import type { UIMessage } from 'ai';
import type { AppliedData } from 'ai-truncate/protocol';
import type {
  GrepArtifactsData,
  GrepArtifactsInput,
  QueryArtifactData,
  QueryArtifactInput,
  ReadArtifactData,
  ReadArtifactInput,
  TaskData,
  TaskInput,
  ToolResponse,
  TruncatedOutput,
} from 'ai-truncate/ui';

export type { TaskData, TaskProgress } from 'ai-truncate/ui';
/** Where something stands in an artifact, and whether its quote was found there. */
export type TaskEvidence = TaskData['evidence'][number];

/** A message of this chat, as the page, the log of the chat and the model agree on it. */
export type ChatMessage = UIMessage<ChatMetadata, Record<never, never>, ChatTools>;

/**
 * Input and output of every tool. Written down here instead of inferred from the tools, so that the page imports no code of
 * the server; `chat-tools.test.ts` holds it against them. Tools of an MCP server are `dynamic-tool` parts.
 */
export type ChatTools = {
  readServerLogs: { input: { service: ServiceName; hours: number }; output: string | TruncatedOutput };
  queryOrders: { input: OrderFilter; output: OrderReport | TruncatedOutput };
  searchDocs: { input: { query: string }; output: DocsSearch | TruncatedOutput };
  readDoc: { input: { path: string }; output: string | TruncatedOutput };
  runTests: { input: Record<string, never>; output: string | TruncatedOutput };
  readFile: { input: { path: string }; output: string | TruncatedOutput };
  editFile: {
    input: { path: string; patch: string; dryRun: boolean };
    output: ToolResponse<EditData> | TruncatedOutput;
  };
  readArtifact: { input: ReadArtifactInput; output: ToolResponse<ReadArtifactData> };
  grepArtifacts: { input: GrepArtifactsInput; output: ToolResponse<GrepArtifactsData> };
  queryArtifact: { input: QueryArtifactInput; output: ToolResponse<QueryArtifactData> };
  task: { input: TaskInput; output: ToolResponse<TaskData> };
};

export type ServiceName = 'checkout' | 'payments' | 'inventory';

/** All that is left out matches every order. */
export interface OrderFilter {
  region?: string;
  status?: 'paid' | 'refunded' | 'cancelled';
  /** The first and the last day, `YYYY-MM-DD`. */
  from?: string;
  to?: string;
}

export interface Order {
  id: number;
  placed_at: string;
  region: string;
  customer: string;
  product: string;
  quantity: number;
  total: number;
  currency: 'EUR';
  status: 'paid' | 'refunded' | 'cancelled';
  refund_reason?: string;
}

export interface OrderReport {
  generated_for: OrderFilter;
  count: number;
  orders: Order[];
}

export interface DocsSearch {
  query: string;
  /** Pages in which every word stands, with the line that says most about them. */
  pages: { path: string; title: string; line: number; text: string }[];
  pages_found: number;
}

export interface EditData extends AppliedData {
  path: string;
  /** What the file would be, or is now, as a unified diff with true line numbers. */
  diff: string;
  lines_added: number;
  lines_removed: number;
}

/** What an answer cost, for the context meter, and whether it was finished. On messages of the assistant only. */
export interface ChatMetadata {
  /** ISO 8601. */
  createdAt?: string;
  /** The agent came to its end; `false` while the answer is written, and for ever when something cut it short. */
  isFinished?: boolean;
  model?: { id: string; isScripted: boolean };
  /** Follow-up questions, shown as buttons. */
  suggestions?: string[];
  /** An output of this answer was not saved, because the disk of the server is full. */
  isDiskFull?: boolean;
  /** How many tokens one request may have, where that is known of the model. */
  contextWindow?: number;
  /** One entry for each request to the model, in order; also those after an approval. */
  steps?: StepCost[];
  /** One entry for each tool call that has an output, in order. */
  calls?: CallCost[];
}

/** What one request to the model cost. */
export interface StepCost {
  inputTokens: number;
  outputTokens: number;
  /** Characters divided by four, instead of what a provider counted. */
  isEstimated: boolean;
}

/** What one tool call gave, and what of it the model is sent in every later step. */
export interface CallCost {
  toolCallId: string;
  toolName: string;
  /** Index in `steps` of the request that asked for the call: the output is part of all requests after it. */
  step: number;
  /** Of the full output. The same as `sentChars` when it was not truncated. */
  originalChars: number;
  originalBytes: number;
  /** What the model is sent for this output. */
  sentChars: number;
  /** What a sub-agent spent to make this output; it counts against the saving. */
  subAgentTokens?: number;
}
