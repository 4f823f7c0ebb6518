export const MEGABYTE: number = 1024 * 1024;

/**
 * An application log in which every two hundredth line is an error. Every line has `columns` columns, including the line feed.
 */
export function log(size: number, { columns }: { columns: number }): string {
  const lines: string[] = [];
  for (let index = 0; lines.length * columns < size; index++)
    lines.push(
      logLine(index)
        .padEnd(columns - 1, '.')
        .slice(0, columns - 1),
    );
  return lines.join('\n');
}

function logLine(index: number): string {
  const time = `2026-01-13T15:30:${String(index % 60).padStart(2, '0')}.000Z`;
  return index % 200 === 199
    ? `${time} ERROR worker-${index % 17} connection refused by db-${index % 5}:5432`
    : `${time} INFO  worker-${index % 17} processed job ${index} for customer ${(index * 7919) % 100_003} in ${index % 977} ms`;
}

export function records(size: number): unknown[] {
  const record = (id: number) => ({
    id,
    customer: `customer-${(id * 7919) % 100_003}`,
    total: (id % 977) / 4,
    paid: id % 3 > 0,
  });
  const count = Math.ceil(size / (JSON.stringify(record(1_000_000)).length + 1));
  return Array.from({ length: count }, (_, id) => record(id));
}

/**
 * A log of 80 columns with this many bytes, in pieces like a stream. It can have any size, because all pieces except the last
 * are equal.
 */
export function* logPieces(bytes: number): Generator<string> {
  const piece = log(Math.min(bytes, MEGABYTE), { columns: 80 }).slice(0, MEGABYTE);
  for (let left = bytes; left > 0; left -= piece.length) yield left < piece.length ? piece.slice(0, left) : piece;
}
