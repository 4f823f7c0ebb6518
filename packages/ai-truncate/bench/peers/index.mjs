// What other packages do to a text, called directly. Here and not beside, so that their names resolve to the peers' own folder.

/**
 * @typedef {{ name: string, rival: { of: string, because: string }, load: () => Promise<(text: string) => unknown> }} Peer
 * @type {Peer[]}
 */
const peers = [
  {
    name: 'pi truncateHead',
    rival: {
      of: 'truncateText, head',
      because: 'it checks no options and counts no characters; of a line that alone is too long it shows nothing',
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
      because: 'it cuts after so many characters, counts nothing, and the rest is lost',
    },
    load: bashTool,
  },
];

/** @returns those of a peer that is not installed without `run` */
export async function loadPeers() {
  return Promise.all(
    peers.map(async ({ load, ...peer }) => {
      const run = await load().catch((error) =>
        console.log(`  ${peer.name} is left out: ${String(error).split('\n')[0]}`),
      );
      return { ...peer, run };
    }),
  );
}

async function pi() {
  // The file alone: the package's entry loads the whole agent.
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
  // Once: making the tool runs commands of its own.
  const { tools } = await createBashTool({ sandbox });
  return async (text) => {
    output = text;
    return tools.bash.execute({ command: 'cat' }, { toolCallId: 'call', messages: [] });
  };
}
