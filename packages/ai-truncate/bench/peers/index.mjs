// What other packages do to a text, called directly. Here and not beside, so that their names resolve to the peers' own folder.

/** @returns {Promise<{ name: string, run: (text: string) => unknown }[]>} those that are installed */
export async function loadPeers() {
  const peers = await Promise.allSettled([pi(), contextChef(), bashTool()]);
  for (const peer of peers) {
    if (peer.status === 'rejected') console.log(`A peer is left out: ${String(peer.reason).split('\n')[0]}`);
  }
  return peers.flatMap((peer) => (peer.status === 'fulfilled' ? peer.value : []));
}

async function pi() {
  // The file alone: the package's entry loads the whole agent.
  const file = new URL('./core/tools/truncate.js', import.meta.resolve('@mariozechner/pi-coding-agent'));
  const { truncateHead, truncateTail } = await import(file.href);
  return [
    { name: 'pi truncateHead', run: (text) => truncateHead(text) },
    { name: 'pi truncateTail', run: (text) => truncateTail(text) },
  ];
}

async function contextChef() {
  const { InMemoryBackend, Offloader } = await import('@context-chef/core');
  const run = (text) =>
    new Offloader({ threshold: 51_200, store: new InMemoryBackend() }).offload(text, {
      headChars: 8192,
      tailChars: 8192,
    });
  return [{ name: 'context-chef Offloader', run }];
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
  const run = async (text) => {
    output = text;
    return tools.bash.execute({ command: 'cat' }, { toolCallId: 'call', messages: [] });
  };
  return [{ name: 'bash-tool (no counts, the rest is lost)', run }];
}
