import { type OutputKind, outputKinds, outputNames, type RealOutput, realOutput } from './real-outputs.ts';
import { recordFacts } from './record-facts.ts';
import { collapsed, type Told, toldByLine, toldByPassage, withoutTags } from './told.ts';
import { diffFacts } from './written/diff.ts';
import { htmlFacts } from './written/html.ts';
import { markdownFacts } from './written/markdown.ts';
import { shellFacts } from './written/shell.ts';
import { sourceFacts } from './written/source.ts';
import type { WrittenFact, WrittenFacts } from './written/written-facts.ts';

/** Something that a line, a record or a passage of a real output states, and the question of a person who does not know it. */
export interface RealFact {
  output: RealOutput;
  question: string;
  /** The one identifier, number or stem that the question shares with the line, if it shares no whole word. */
  clue?: string;
  /** The line, record or passage that states the fact. */
  line: string;
  isToldBy: Told;
}

/**
 * All facts, always the same. The lines were drawn by a seeded random number from all lines of 24 to 220 characters (420 of
 * pages and Markdown) that occur once and have two words. The questions were written in the order of the draw, before any preview was
 * made. Lines without a statement are left out, such as a bracket. Records are drawn in the same way.
 */
export function chooseRealFacts(): RealFact[] {
  return outputKinds.flatMap((kind) =>
    outputNames[kind].flatMap((name) => {
      const output = realOutput(kind, name);
      const written = writtenFacts[kind]?.[name] ?? [];
      return written.length > 0 ? written.map((fact) => realFact(output, fact)) : recordFacts(output);
    }),
  );
}

const writtenFacts: Partial<Record<OutputKind, WrittenFacts>> = {
  shell: shellFacts,
  html: htmlFacts,
  diff: diffFacts,
  source: sourceFacts,
  markdown: markdownFacts,
};

function realFact(output: RealOutput, [question, told, clue]: WrittenFact): RealFact {
  const texts = typeof told === 'string' ? [told] : told;
  const isToldBy = output.kind === 'html' ? toldByPassage(texts) : toldByLine(texts);
  return {
    output,
    question,
    ...(clue === undefined ? {} : { clue }),
    line: lineOf(output, { texts, isToldBy }),
    isToldBy,
  };
}

/** The line that states a fact. A passage of a page can span several lines. Then its words are used as the line. */
function lineOf({ kind, text }: RealOutput, { texts, isToldBy }: { texts: readonly string[]; isToldBy: Told }): string {
  const line = text.split('\n').find(isToldBy);
  if (line === undefined || line.length > mostLineCharacters) return texts.join(' … ');
  return collapsed(kind === 'html' ? withoutTags(line) : line);
}

/** A longer line of a page is not one statement. */
const mostLineCharacters = 2_000;
