import { createMCPClient, type MCPClient } from '@ai-sdk/mcp';
import { StdioMCPTransport } from '@ai-sdk/mcp/mcp-stdio';
import type { ToolSet } from 'ai';
import { environment } from '../lib/environment';
import { oncePerProcess } from '../lib/once-per-process';

/** The tools of a server, or why there are none. */
export type McpTools = { tools: ToolSet; problem?: never } | { tools?: never; problem: string };

export interface McpServer {
  /** Never rejects: a server that fails costs its tools, not the answer. Begins the program when it does not run. */
  tools(): Promise<McpTools>;
  /** Ends the program. */
  close(): Promise<void>;
}

const START_TIMEOUT_MS = 15_000;
/** A program that cannot start is not started anew for each question. */
const REST_MS = 10_000;
const MAX_PROBLEM_CHARS = 300;

/** The server that MCP_COMMAND names; `undefined` when it names none. One program for the whole process, begun when needed. */
export function mcpServer(): McpServer | undefined {
  const { mcpCommand } = environment();
  return mcpCommand && oncePerProcess('mcp-server', () => endWithProcess(startOnDemand(mcpCommand)));
}

/** A server that runs as this command, and speaks MCP on its standard input and output. */
export function startOnDemand([command, ...commandArguments]: [string, ...string[]]): McpServer {
  let running: Promise<{ client: MCPClient; tools: ToolSet }> | undefined;
  let transport: StdioMCPTransport | undefined;
  let failed: { problem: string; atMs: number } | undefined;

  async function start() {
    transport = new StdioMCPTransport({ command, args: commandArguments, stderr: 'inherit' });
    const client = await createMCPClient({
      transport,
      initializationOptions: { timeout: START_TIMEOUT_MS },
      onUncaughtError: (error) => console.error(`The MCP server reported: ${String(error)}`),
    });
    const onclose = transport.onclose;
    transport.onclose = () => {
      // It ended by itself: the next question starts it anew.
      running = undefined;
      onclose?.();
    };
    try {
      return { client, tools: (await client.tools()) as ToolSet };
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  return {
    async tools() {
      if (failed && performance.now() - failed.atMs < REST_MS) return { problem: failed.problem };
      try {
        running ??= start();
        const { tools } = await running;
        failed = undefined;
        return { tools };
      } catch (error) {
        running = undefined;
        const reason = (error instanceof Error ? error.message : String(error)).slice(0, MAX_PROBLEM_CHARS);
        failed = { problem: `The MCP server (${command}) cannot be used: ${reason}`, atMs: performance.now() };
        console.error(failed.problem);
        return { problem: failed.problem };
      }
    },
    async close() {
      running = undefined;
      // Before anything is awaited: at the end of a process nothing more runs than this.
      await transport?.close();
    },
  };
}

/** No program stays behind, also none that does not notice that its input was closed. */
function endWithProcess(server: McpServer): McpServer {
  process.once('exit', () => void server.close());
  return server;
}
