export interface GeneratedRecord {
  id: number;
  at: string;
  level: string;
  service: string;
  latency_ms: number;
  message: string;
}

export interface RecordFormat {
  name: 'JSON array' | 'NDJSON' | 'CSV';
  mediaType: string;
  start: string;
  write(record: GeneratedRecord): string;
  separator: string;
  end: string;
}

const PIECE = 256 * 1024;

export const recordFormats: RecordFormat[] = [
  { name: 'JSON array', mediaType: 'application/json', start: '[', write: JSON.stringify, separator: ',', end: ']' },
  { name: 'NDJSON', mediaType: 'application/x-ndjson', start: '', write: JSON.stringify, separator: '\n', end: '\n' },
  {
    name: 'CSV',
    mediaType: 'text/csv',
    start: 'id,at,level,service,latency_ms,message\n',
    write: (record) => Object.values(record).map(csvCell).join(','),
    separator: '\n',
    end: '\n',
  },
];

/** One record in five is an error, and one message in ten needs quotes. */
function recordOf(id: number): GeneratedRecord {
  const customer = (id * 7919) % 100_003;
  return {
    id,
    at: new Date(1_768_000_000_000 + id * 1000).toISOString(),
    level: id % 5 === 0 ? 'ERROR' : 'INFO',
    service: `service-${id % 17}`,
    latency_ms: (id * 7919) % 1009,
    message: id % 10 === 0 ? `job ${id} failed, "again", for ${customer}` : `processed job ${id} for ${customer}`,
  };
}

function csvCell(value: string | number): string {
  const text = String(value);
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Records of a format in pieces, about this many bytes together. */
export function* recordPieces({ start, write, separator, end }: RecordFormat, size: number): Generator<Buffer> {
  let piece = start + write(recordOf(0));
  for (let id = 1, length = piece.length; length < size; id++) {
    const part = separator + write(recordOf(id));
    length += part.length;
    piece += part;
    if (piece.length < PIECE) continue;
    yield Buffer.from(piece);
    piece = '';
  }
  yield Buffer.from(piece + end);
}
