import { artifactStore } from './artifact-store';
import { environment } from './environment';
import { EnvironmentError } from './environment-error';

/** Ends the process when a variable cannot be used, so that a mistake is found by who made it and not by a visitor. */
export function checkConfiguration(): void {
  try {
    environment();
    artifactStore();
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    console.error(`\n${error.message} Correct it or leave it out, and start again.\n`);
    process.exit(1);
  }
}
