/** What is read of a report of Lighthouse. */
export interface LighthouseReport {
  /** How fast the machine was at that moment, as Lighthouse measures it: below 1,000 its scores of performance mean little. */
  environment: { benchmarkIndex: number };
  /** Scores are between 0 and 1. */
  categories: Record<string, { title: string; score: number | null; auditRefs: { id: string; weight: number }[] }>;
  audits: Record<
    string,
    { id: string; title: string; score: number | null; numericValue?: number; displayValue?: string }
  >;
}

/** What a page must reach. */
export interface Goal {
  category: string;
  atLeast: number;
}

/** One page in one form, looked at several times. */
export interface PageMeasure {
  page: string;
  reports: LighthouseReport[];
  goals: readonly Goal[];
}

/** The value in the middle: one slow moment of the machine changes nothing. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** The median score of a category. */
export function scoreOf({ reports }: PageMeasure, category: string): number {
  return medianOf(reports.map(({ categories }) => categories[category]?.score ?? 0));
}

/** A sentence for every goal that was missed, with the audits that cost the most. */
export function missedGoals(measure: PageMeasure): string[] {
  return measure.goals
    .filter(({ category, atLeast }) => !(scoreOf(measure, category) >= atLeast))
    .map(({ category, atLeast }) => {
      const reasons = failedAudits(measure.reports, category).join('; ');
      return `${measure.page}: ${category} is ${scoreOf(measure, category)}, not ${atLeast}. ${reasons}`;
    });
}

function failedAudits(reports: readonly LighthouseReport[], category: string): string[] {
  const failed = reports.flatMap(({ categories, audits }) =>
    (categories[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
      const audit = audits[id];
      const isFailed = weight > 0 && audit?.score !== null && (audit?.score ?? 1) < 0.9;
      return isFailed ? [`${id} (${audit?.displayValue ?? audit?.title})`] : [];
    }),
  );
  return [...new Set(failed)];
}
