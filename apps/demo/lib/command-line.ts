/**
 * Splits a command line into the program and its arguments: blanks separate, quotes keep together. Nothing is expanded, as
 * no shell runs it. `undefined` when a quote is never closed or nothing is there.
 */
export function splitCommandLine(line: string): [string, ...string[]] | undefined {
  const rest = line.replace(/"[^"]*"|'[^']*'/g, '');
  if (/["']/.test(rest)) return undefined;
  const words = line.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  const [program, ...programArguments] = words.map((word) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
  return program ? [program, ...programArguments] : undefined;
}
