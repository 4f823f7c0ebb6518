/**
 * A question that was written by hand, the text that answers it, and the one identifier, number or stem that it shares with the
 * line of the answer, if it shares no whole word. A list of texts must be shown together.
 */
export type WrittenFact = readonly [question: string, told: string | readonly string[], clue?: string];

/** The facts of each output of one kind, by the name of the output. */
export type WrittenFacts = Readonly<Record<string, readonly WrittenFact[]>>;
