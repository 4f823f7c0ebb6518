// Previews of an output by other packages. They are in this folder, so that their names resolve to the peers' own dependencies.

/**
 * @returns {Promise<{ name: string, keepsOutput: boolean, preview: (text: string, options: { bytes: number }) =>
 * Promise<string> | string }[]>} the installed peers
 */
export async function peerPreviews() {
  const peers = await Promise.allSettled([pi(), contextChef(), bashTool()]);
  for (const peer of peers) {
    if (peer.status === 'rejected') console.log(`A peer is skipped: ${String(peer.reason).split('\n')[0]}`);
  }
  return peers.flatMap((peer) => (peer.status === 'fulfilled' ? peer.value : []));
}

/** Its command tool saves the output in a temporary file and names it. */
async function pi() {
  // Only this file, because the package's entry loads the whole agent.
  const file = new URL('./core/tools/truncate.js', import.meta.resolve('@mariozechner/pi-coding-agent'));
  const { truncateHead, truncateTail } = await import(file.href);
  const ways = Object.entries({ 'pi truncateHead': truncateHead, 'pi truncateTail': truncateTail });
  return ways.map(([name, truncate]) => ({
    name,
    keepsOutput: true,
    preview: (text, { bytes }) => truncate(text, { maxBytes: bytes }).content,
  }));
}

/** Saves the output under an address that its preview names. */
async function contextChef() {
  const { InMemoryBackend, Offloader } = await import('@context-chef/core');
  const preview = (text, { bytes }) => {
    const offloader = new Offloader({ threshold: bytes, store: new InMemoryBackend() });
    return offloader.offload(text, { headChars: bytes / 2, tailChars: bytes / 2 }).content;
  };
  return [{ name: 'context-chef', keepsOutput: true, preview }];
}

async function bashTool() {
  const { createBashTool } = await import('bash-tool');
  let output = '';
  const sandbox = {
    executeCommand: async () => ({ stdout: output, stderr: '', exitCode: 0 }),
    readFile: async () => '',
    writeFiles: async () => {},
  };
  const preview = async (text, { bytes }) => {
    const { tools } = await createBashTool({ sandbox, maxOutputLength: bytes });
    output = text;
    const { stdout } = await tools.bash.execute({ command: 'cat' }, { toolCallId: 'call', messages: [] });
    return stdout;
  };
  return [{ name: 'bash-tool (saves nothing)', keepsOutput: false, preview }];
}
