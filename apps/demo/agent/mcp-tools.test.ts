import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type McpServer, startOnDemand } from './mcp-tools';

const folder = await mkdtemp(join(tmpdir(), 'mcp-'));
const servers: McpServer[] = [];
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await rm(folder, { recursive: true });
});

/** A program of a few lines that speaks enough of the protocol, and can be told to die. */
const program = `
  let rest = '';
  const answers = {
    initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'test', version: '1' } },
    'tools/list': { tools: [{ name: 'whoami', inputSchema: { type: 'object' } }, { name: 'die', inputSchema: { type: 'object' } }] },
  };
  process.stdin.on('data', (data) => {
    const lines = (rest + data).split('\\n');
    rest = lines.pop();
    for (const { id, method, params } of lines.map((line) => JSON.parse(line))) {
      if (id === undefined) continue;
      if (params?.name === 'die') process.exit(3);
      const unknown = { error: { code: -32601, message: 'unknown' } };
      const called = { result: { content: [{ type: 'text', text: String(process.pid) }] } };
      const answer = method === 'tools/call' ? called : answers[method] ? { result: answers[method] } : unknown;
      process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
    }
  });
  process.stdin.on('end', () => process.exit(0));
`;

async function serve(name: string, text: string): Promise<McpServer> {
  const path = join(folder, name);
  await writeFile(path, text);
  const server = startOnDemand([process.execPath, path]);
  servers.push(server);
  return server;
}

async function call(server: McpServer, name: string): Promise<string> {
  const { tools, problem } = await server.tools();
  if (!tools) throw new Error(problem);
  const output = await tools[name]?.execute?.({}, { toolCallId: 'call', messages: [], context: {} });
  return (output as { content: { text: string }[] }).content[0]?.text ?? '';
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('the tools of the MCP program are offered and work, and one process serves all questions', async () => {
  const server = await serve('good.cjs', program);
  expect(Object.keys((await server.tools()).tools ?? {})).toEqual(['whoami', 'die']);
  expect(await call(server, 'whoami')).toBe(await call(server, 'whoami'));
});

test('a program that has ended is started again for the next question', async () => {
  const server = await serve('mortal.cjs', program);
  const first = await call(server, 'whoami');
  await expect(call(server, 'die')).rejects.toThrow();
  expect(Number(await call(server, 'whoami'))).not.toBe(Number(first));
});

test('closing ends the program', async () => {
  const server = await serve('closed.cjs', program);
  const pid = Number(await call(server, 'whoami'));
  expect(isAlive(pid)).toBe(true);
  await server.close();
  await expect.poll(() => isAlive(pid)).toBe(false);
});

test.each([
  ['does not exist', startOnDemand(['/no/such/program'])],
  ['ends at once', startOnDemand([process.execPath, '-e', 'process.exit(1)'])],
])('when a program %s, only its tools are missing, and the server says why', async (_, server) => {
  servers.push(server);
  const { tools, problem } = await server.tools();
  expect(tools).toBeUndefined();
  expect(problem).toMatch(/^The MCP server \(.+\) cannot be used: .+/);
});
