/** Runs once before the server takes requests: a configuration that cannot work ends the process here, with one sentence. */
export async function register(): Promise<void> {
  // Also called for the edge runtime, which has neither a disk nor a process to end.
  if (process.env.NEXT_RUNTIME !== 'nodejs') return;
  const { checkConfiguration } = await import('./lib/check-configuration');
  checkConfiguration();
}
