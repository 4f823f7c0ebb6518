// Other packages that truncate a text, called directly. They are in this folder, so that their names resolve to the peers' own
// dependencies.

/**
 * @typedef {{ name: string, rival: { of: string, because: string }, load: () => Promise<(text: string) => unknown> }} Peer
 * @type {Peer[]}
 */
const peers = [
  {
    name: 'pi truncateHead',
    rival: {
      of: 'truncateText, head',
      because: 'it checks no options and counts no characters; a single line over the limit shows nothing',
    },
    load: async () => (await pi()).truncateHead,
  },
  {
    name: 'pi truncateTail',
    rival: { of: 'truncateText, tail', because: 'it checks no options and counts no characters' },
    load: async () => (await pi()).truncateTail,
  },
  {
    name: 'context-chef Offloader',
    rival: { of: 'ends', because: 'it counts neither bytes nor lines, and up to its threshold it does nothing' },
    load: contextChef,
  },
  {
    name: 'bash-tool',
    rival: {
      of: 'truncateText, head',
      because: 'it cuts after a number of characters, counts nothing, and the rest is lost',
    },
    load: bashTool,
  },
];

/** @returns The peers. A peer that is not installed has no `run`. */
export async function loadPeers() {
  return Promise.all(
    peers.map(async ({ load, ...peer }) => {
      const run = await load().catch((error) =>
        console.log(`  ${peer.name} is skipped: ${String(error).split('\n')[0]}`),
      );
      return { ...peer, run };
    }),
  );
}

async function pi() {
  // Only this file, because the package's entry loads the whole agent.
  return import(new URL('./core/tools/truncate.js', import.meta.resolve('@mariozechner/pi-coding-agent')).href);
}

async function contextChef() {
  const { InMemoryBackend, Offloader } = await import('@context-chef/core');
  return (text) =>
    new Offloader({ threshold: 51_200, store: new InMemoryBackend() }).offload(text, {
      headChars: 8192,
      tailChars: 8192,
    });
}

async function bashTool() {
  const { createBashTool } = await import('bash-tool');
  let output = '';
  const sandbox = {
    executeCommand: async () => ({ stdout: output, stderr: '', exitCode: 0 }),
    readFile: async () => '',
    writeFiles: async () => {},
  };
  // Only once, because making the tool runs commands.
  const { tools } = await createBashTool({ sandbox });
  return async (text) => {
    output = text;
    return tools.bash.execute({ command: 'cat' }, { toolCallId: 'call', messages: [] });
  };
}
