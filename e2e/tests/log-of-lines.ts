/** A log in which every line tells its number: what stands in a row can be checked without the artifact. */
export async function* logOfLines(lines: number): AsyncGenerator<string> {
  const linesPerChunk = 2000;
  for (let first = 1; first <= lines; first += linesPerChunk) {
    let chunk = '';
    for (let number = first; number < Math.min(lines + 1, first + linesPerChunk); number++)
      chunk += `${logLine(number)}\n`;
    yield withoutEnd(chunk, first + linesPerChunk > lines);
  }
}

/** About a hundred bytes; every thousandth line is an error, and has a colour. */
export function logLine(number: number): string {
  const level = number % 1000 === 0 ? '\u001b[31mERROR\u001b[0m' : 'INFO ';
  return `2026-11-17T18:00:00.000Z ${level} checkout-${number % 7} request of line ${number} took ${number % 997} ms, trace ${String(number * 7919).padStart(16, '0')}`;
}

/** The last line has no newline behind it, so that there are as many lines as were asked for. */
function withoutEnd(chunk: string, isLast: boolean): string {
  return isLast ? chunk.slice(0, -1) : chunk;
}
