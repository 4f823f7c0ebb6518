import { InvalidOptionError } from 'ai-truncate';
import { artifactStore } from './artifact-store';
import { environment } from './environment';
import { EnvironmentError } from './environment-error';
import { sessionSecret } from './session-secret';

/** Ends the process when a variable cannot be used, so that a mistake is found by who made it and not by a visitor. */
export function checkConfiguration(): void {
  dropBlank(process.env);
  try {
    environment();
    artifactStore();
    const { notice } = sessionSecret();
    if (notice) console.log(notice);
  } catch (error) {
    if (!(error instanceof EnvironmentError || InvalidOptionError.isInstance(error))) throw error;
    console.error(`\n${error.message} Correct it or leave it out, and start again.\n`);
    process.exit(1);
  }
}

/** Empty is not set, as in a copied `.env.example`: `@ai-sdk/openai` throws for an empty OPENAI_BASE_URL when it is loaded. */
function dropBlank(variables: NodeJS.ProcessEnv): void {
  for (const name of ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'BLOB_READ_WRITE_TOKEN', 'BLOB_STORE_ID']) {
    if (variables[name]?.trim() === '') delete variables[name];
  }
}
