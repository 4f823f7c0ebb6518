/** Tells in which line each place of a text is; places come one behind the other. */
export function lineCounter(text: string, firstLine: number): { at(index: number): number } {
  let line = firstLine;
  let feed = text.indexOf('\n');
  return {
    at(index) {
      for (; feed !== -1 && feed < index; feed = text.indexOf('\n', feed + 1)) line++;
      return line;
    },
  };
}
