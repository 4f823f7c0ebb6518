import { expect, test } from '@playwright/test';
import { conversationWith } from './conversation.ts';
import { startDemo } from './demo-server.ts';

/** Enough of an MCP server: one tool, which answers with more than a model should be sent. */
const program = `
let rest = '';
const answers = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'test', version: '1' } },
  'tools/list': { tools: [{ name: 'listTickets', inputSchema: { type: 'object' } }] },
  'tools/call': { content: [{ type: 'text', text: 'pid ' + process.pid + String.fromCharCode(10) + ('a ticket' + String.fromCharCode(10)).repeat(9000) }] },
};
process.stdin.on('data', (data) => {
  const lines = (rest + data).split(String.fromCharCode(10));
  rest = lines.pop();
  for (const { id, method } of lines.map((line) => JSON.parse(line))) {
    if (id === undefined) continue;
    const answer = answers[method] ? { result: answers[method] } : { error: { code: -32601, message: 'unknown' } };
    process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + String.fromCharCode(10));
  }
});
`;
const command = `"${process.execPath}" -e "${program.replaceAll('\n', ' ')}"`;

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('the outputs of MCP tools are truncated like all others, and the MCP server ends with the demo', async () => {
  const demo = await startDemo({ MCP_COMMAND: command });
  const { chunks } = await conversationWith(demo.url).say('call listTickets');
  const output = chunks.find(({ type }) => type === 'tool-output-available')?.output as {
    data: { truncation: { original_lines: number }; preview: string };
  };
  expect(output.data.truncation.original_lines).toBe(9_002);
  const pid = Number(/pid (\d+)/.exec(output.data.preview)?.[1]);
  expect(isAlive(pid)).toBe(true);
  await demo.stop();
  await expect.poll(() => isAlive(pid)).toBe(false);
});

test('when an MCP server cannot start, the answer comes without its tools', async () => {
  const demo = await startDemo({ MCP_COMMAND: '/no/such/program' });
  const { text } = await conversationWith(demo.url).say('How do subagents work?');
  await demo.stop();
  expect(text).toContain('06-subagents.mdx');
  expect(demo.output()).toContain('The MCP server (/no/such/program) cannot be used');
});
