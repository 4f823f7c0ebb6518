// Here and not beside, so that its name resolves to the peers' own folder.

/** @returns {Promise<string | undefined>} where the binary is; `undefined` where it is not installed */
export async function ripgrepPath() {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    return rgPath;
  } catch (error) {
    console.log(`ripgrep is left out: ${String(error).split('\n')[0]}`);
    return undefined;
  }
}
