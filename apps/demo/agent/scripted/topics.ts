import { savingsIn } from './saved-outputs';
import type { Turn } from './turn';

interface TopicAnswer {
  /** The same as in a rule of the grammar. */
  needs: readonly string[];
  takes: string;
  text: string | ((turn: Turn) => string);
  /** A request that only an LLM could fulfil. */
  isUnclear?: true;
}

const about = 'it there library what how show explain say';

/**
 * Answers that need no tool: about the library, this demo and the conversation. The facts about the library come from its
 * README, and a test compares them.
 */
export const topics = {
  greeting: {
    needs: ['greeting'],
    takes: 'there',
    text: 'Hello. No LLM runs here, but I understand questions about logs, orders, tests and the AI SDK docs. Try one:',
  },
  thanks: { needs: ['thanks|praise'], takes: 'thanks praise it', text: 'You’re welcome.' },
  abilities: {
    needs: ['ability'],
    takes: 'what how show thing it there',
    text: [
      'I can answer questions about:',
      '- **Logs** of checkout, payments and inventory for one night: why, when and how often something failed.',
      '- **20,000 orders**: count, add up, average or rank them by region, product, customer, status, reason or date.',
      '- **Tests**: run them, explain a failure, and fix it after your approval.',
      '- **AI SDK docs**: look something up.',
      '- **Saved outputs**: search them, show their lines, or call a tool: `call runTests {}`.',
    ].join('\n'),
  },
  page: {
    needs: ['it|page', 'what'],
    takes: 'page it what',
    text: 'This is the demo of ai-truncate, a plugin for the Vercel AI SDK. Its tools return far more than a model can read, such as a 40 MB log. The model gets a short preview, every byte is saved, and readers and a sub-agent find the rest.',
  },
  install: {
    needs: ['install'],
    takes: `${about} instruction work upload`,
    text: [
      'ai-truncate is **not published yet**. To use it today, run this in a clone of the repository:',
      '```\nnpx pnpm@12.18.0 build\ncd packages/ai-truncate && npm pack\n```',
      'Then run `npm install` with the packed file in your project. It needs Node.js 22 or newer and `ai` 7. Wrap your tools once:',
      "```\nconst tools = truncateToolOutputs({ readServerLogs }, { store: filesystemStore(), scope: 'chat-17' });\n```",
    ].join('\n\n'),
  },
  mcp: {
    needs: ['mcp'],
    takes: `${about} support work`,
    text: 'Yes. Wrap the tools of an MCP client like your own: `truncateToolOutputs(await client.tools(), { store, scope })`. Text, `structuredContent` and errors are bounded. Images pass.',
  },
  otherFramework: {
    needs: ['otherFramework'],
    takes: `${about} support work`,
    text: 'No. ai-truncate is a plugin for the Vercel AI SDK 7: it wraps AI SDK tools, and it has no adapter for other frameworks.',
  },
  truncation: {
    needs: ['truncate'],
    takes: `${about} work output tool happen when`,
    text: [
      'When a tool returns more than 2,000 lines or 50 KB:',
      '1. Every byte is saved in your store.',
      '2. The model gets a preview of at most 16 KB: both ends, the lines that the question asks for, errors and rare lines.',
      '3. A notice says how much is missing and where the full output is saved.',
      '4. Readers or a sub-agent look up the rest.',
    ].join('\n'),
  },
  savings: {
    needs: ['save', 'howMuch|count|token|what'],
    takes: `${about} token`,
    text: savingsText,
  },
  compare: {
    needs: ['without|compare'],
    takes: `${about} token howMuch compare tool output`,
    text: savingsText,
  },
  privacy: {
    needs: ['save|keep', 'data'],
    takes: 'it what log file',
    text: 'Yes. Your messages and the tool outputs of this chat are saved on this server. Only your browser can open them, because its cookie identifies you. Saved outputs expire after 7 days, unless this server has another limit. The button “Delete this chat” at the top removes the chat and its outputs. In scripted mode, no LLM provider receives anything.',
  },
  library: {
    needs: ['library'],
    takes: `${about} work about output tool`,
    text: 'ai-truncate is a plugin for the Vercel AI SDK. `truncateToolOutputs` wraps your tools. An output within the limits (2,000 lines, 50 KB) passes unchanged. Every byte of a larger output is saved in your store, and the model gets a preview of at most 16 KB. It looks up the rest with `grepArtifacts`, `readArtifact` and `queryArtifact`.',
  },
  llm: {
    needs: ['llm'],
    takes: 'what real it how there who work',
    text: 'No LLM runs here. The replies are scripted: rules choose the tools and write the answers. Tools, truncation, storage, search and the check of quotes are real. With `OPENAI_API_KEY` set on the server, a real LLM answers with the same tools.',
  },
  slow: {
    needs: ['slow'],
    takes: 'why it take what',
    text: 'A question about the logs takes a few seconds: a tool writes about 40 MB, every byte is saved, and the saved log is searched several times. The cards of an answer show each step. A later question about the same log reuses the saved one.',
  },
  author: {
    needs: ['author'],
    takes: 'who what it library page',
    text: 'The ai-truncate contributors. The library is open source, under the MIT license.',
  },
  upload: {
    needs: ['upload', 'log|file'],
    takes: 'work how it',
    text: 'No. This demo has no upload: its tools return generated data. In your own app, wrap any tool that returns your log with `truncateToolOutputs`.',
  },
  tools: {
    needs: ['tool'],
    takes: 'what show available there how',
    text: ({ tools }: Turn) =>
      `I have these tools: ${[...tools].map((name) => `\`${name}\``).join(', ')}. Call one by its name: \`call runTests {}\`.`,
  },
  rephrase: {
    needs: ['rephrase'],
    takes: 'it explain say how',
    text: 'No LLM runs here, so I cannot put an answer into other words. I can show the lines behind it.',
    isUnclear: true,
  },
} as const satisfies Record<string, TopicAnswer>;

/** The name of a topic. */
export type Topic = keyof typeof topics;

/** The answer to a topic, and the reason if the topic is not answered. */
export function topicAnswer(topic: Topic, turn: Turn): { text: string; isUnclear?: true } {
  const { text, isUnclear }: TopicAnswer = topics[topic];
  return { text: typeof text === 'string' ? text : text(turn), ...(isUnclear && { isUnclear }) };
}

function savingsText(turn: Turn): string {
  const shown = savingsIn(turn.earlier.flatMap(({ results }) => results));
  return [
    'Example: a log of 417,896 lines, 39 MB, becomes a preview of 15 KB. Without ai-truncate, the model receives all 39 MB, and again with every later step.',
    shown.length > 0 && `In this chat so far:\n${shown.map((row) => `- ${row}`).join('\n')}`,
    'The context meter under the message box compares this chat with and without ai-truncate.',
  ]
    .filter(Boolean)
    .join('\n\n');
}
