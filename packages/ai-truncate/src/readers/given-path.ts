/** A path as it was meant: models copy it with blanks around it, or with `./` before it. */
export function givenPath(path: unknown): unknown {
  return typeof path === 'string' ? path.trim().replace(/^(?:\.\/+)+/, '') : path;
}
