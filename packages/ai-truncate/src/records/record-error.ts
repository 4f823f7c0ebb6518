/**
 * - `broken`: the text breaks the rules of its format.
 * - `too large`: one record is larger than can be read without standing still.
 * - `not found`: there are no records where they were looked for.
 * - `no table`: the text is in no format that has records.
 */
export type RecordProblem = 'broken' | 'too large' | 'not found' | 'no table';

/** Why records cannot be read, in words for the model that asked. Never leaves the readers: they turn it into an answer. */
export class RecordError extends Error {
  readonly problem: RecordProblem;

  constructor(problem: RecordProblem, message: string) {
    super(message);
    this.name = 'RecordError';
    this.problem = problem;
  }
}
