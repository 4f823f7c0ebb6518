/** One line of the change that an existing app needs. */
export interface CodeLine {
  kind: 'same' | 'added' | 'removed';
  text: string;
}

/** The whole change, as the landing page shows it. A test compiles it, before and after. */
export const codeChange: readonly CodeLine[] = [
  { kind: 'same', text: "import { streamText } from 'ai';" },
  { kind: 'added', text: "import { truncateToolOutputs } from 'ai-truncate';" },
  { kind: 'added', text: "import { filesystemStore } from 'ai-truncate/filesystem';" },
  { kind: 'same', text: '' },
  { kind: 'removed', text: 'const tools = { readServerLogs, queryOrders };' },
  { kind: 'added', text: 'const store = filesystemStore();' },
  { kind: 'added', text: 'const tools = truncateToolOutputs(' },
  { kind: 'added', text: '  { readServerLogs, queryOrders },' },
  { kind: 'added', text: '  { store, scope: chatId, explore: { model } },' },
  { kind: 'added', text: ');' },
  { kind: 'same', text: '' },
  { kind: 'same', text: 'const result = streamText({ model, tools, messages });' },
];

/** The code with the change, to be copied. */
export const changedCode = codeChange
  .filter(({ kind }) => kind !== 'removed')
  .map(({ text }) => text)
  .join('\n');
