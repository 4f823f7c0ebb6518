/** A variable of the environment that cannot be used. The message is one sentence that names it and says what would be right. */
export class EnvironmentError extends Error {
  constructor(variable: string, { value, expected }: { value: string; expected: string }) {
    super(`${variable} is ${shown(variable, value)}, which is not ${expected}.`);
    this.name = 'EnvironmentError';
  }
}

const SHOWN_CHARS = 60;

/** A secret with a typing error is still nearly the secret. */
function shown(variable: string, value: string): string {
  if (/(KEY|TOKEN|SECRET)$/.test(variable)) return `a text of ${value.length} characters`;
  return JSON.stringify(value.length > SHOWN_CHARS ? `${value.slice(0, SHOWN_CHARS)}…` : value);
}
