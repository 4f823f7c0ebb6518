/** Records, some hundred at a time. Reading them ends with a `RecordError` when they cannot be read to their end. */
export interface Records extends AsyncIterable<unknown[]> {
  /** What was odd about them, for the model, as far as they were read. */
  notes?(): string[];
}
