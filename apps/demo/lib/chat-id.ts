const CHAT_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Whether this can be the id of a chat: a random UUID, which nobody guesses and which is safe as the name of a folder. */
export function isChatId(value: unknown): value is string {
  return typeof value === 'string' && CHAT_ID.test(value);
}
