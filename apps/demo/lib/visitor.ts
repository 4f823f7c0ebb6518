/**
 * Who asks. Every route asks it before it looks for a chat, so that a chat can belong to somebody.
 *
 * All visitors are one: whoever knows the random id of a chat may read it.
 */
export function visitorOf(_request: Request): { id: string } {
  return { id: 'anyone' };
}
