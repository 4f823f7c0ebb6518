import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface OpenAiRequest {
  model: string;
  stream?: boolean;
  tools?: { name?: string }[];
  tool_choice?: unknown;
  input: { type?: string; role?: string; name?: string; output?: unknown; content?: unknown }[];
}

/** What the model does: calls a function, or says something. */
export type OpenAiMove = { call: string; input: unknown } | { say: string };

/** OpenAI's Responses API on this machine. What it answers is decided by the test, from the request as it came. */
export async function startOpenAi(moveFor: (request: OpenAiRequest) => OpenAiMove) {
  const requests: OpenAiRequest[] = [];
  const server = createServer(async (incoming, response) => {
    const request = JSON.parse(await text(incoming)) as OpenAiRequest;
    requests.push(request);
    const item = toItem(moveFor(request), requests.length);
    const head = { id: `resp_${requests.length}`, created_at: 1_750_000_000, model: request.model };
    const usage = { input_tokens: 1_000 + requests.length, output_tokens: 20 };
    if (!request.stream) {
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ ...head, output: [item], usage }));
      return;
    }
    const events = [
      { type: 'response.created', response: head },
      { type: 'response.output_item.added', output_index: 0, item: { ...item, arguments: '' } },
      ...(item.type === 'message'
        ? [{ type: 'response.output_text.delta', item_id: item.id, delta: item.content[0].text }]
        : []),
      { type: 'response.output_item.done', output_index: 0, item },
      { type: 'response.completed', response: { usage } },
    ];
    response.setHeader('content-type', 'text/event-stream');
    response.end(`${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    close: () => {
      server.closeAllConnections();
      return new Promise<void>((resolve) => void server.close(() => resolve()));
    },
  };
}

function toItem(move: OpenAiMove, count: number) {
  if ('say' in move) {
    const content = [{ type: 'output_text', text: move.say, annotations: [] }] as const;
    return { type: 'message', role: 'assistant', id: `msg_${count}`, content } as const;
  }
  const { call: name, input } = move;
  const item = { type: 'function_call', id: `item_${count}`, call_id: `call_${count}`, status: 'completed' } as const;
  return { ...item, name, arguments: JSON.stringify(input) };
}
