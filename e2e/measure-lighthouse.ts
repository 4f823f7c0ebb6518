// Lighthouse over the built demo: three times each page and form. Ends with 1 when the median misses a goal.
import { findBrowser } from './find-browser.mjs';
import {
  type Goal,
  type LighthouseReport,
  medianOf,
  missedGoals,
  type PageMeasure,
  scoreOf,
} from './lighthouse-report.ts';
import { conversationWith } from './tests/conversation.ts';
import { startDemo } from './tests/demo-server.ts';

const runs = 3;
const goals: Goal[] = [
  { category: 'performance', atLeast: 0.9 },
  { category: 'accessibility', atLeast: 1 },
  { category: 'best-practices', atLeast: 1 },
];
// The page of an output is for nobody but its visitor, and says so to search engines: that costs points there.
const publicGoals: Goal[] = [...goals, { category: 'seo', atLeast: 0.95 }];

interface AuditOptions {
  chromePath: string | undefined;
  formFactor: 'mobile' | 'desktop';
  cookie: string;
}

// By address, so that nobody needs Lighthouse installed to check types.
const { audit }: { audit(address: string, options: AuditOptions): Promise<LighthouseReport> } = await import(
  `${import.meta.dirname}/lighthouse/audit.mjs`
);

const demo = await startDemo();
try {
  const { cookie, outputAddress } = await askForOutput(demo.url);
  const pages = [
    { name: '/', address: demo.url, goals: publicGoals },
    { name: '/a/…', address: outputAddress, goals },
  ];
  const chromePath = findBrowser();
  const measures: PageMeasure[] = [];
  for (const formFactor of ['desktop', 'mobile'] as const) {
    for (const { name, address, goals } of pages) {
      const reports: LighthouseReport[] = [];
      for (let run = 0; run < runs; run++) reports.push(await audit(address, { chromePath, formFactor, cookie }));
      measures.push({ page: `${name} ${formFactor}`, reports, goals });
    }
  }
  console.log(`Medians of ${runs} runs, phones as slow as Lighthouse makes them.\n\n${table(measures)}`);
  const missed = measures.flatMap(missedGoals);
  if (missed.length > 0) {
    console.error(`\n${missed.join('\n')}`);
    process.exitCode = 1;
  }
} finally {
  await demo.stop();
}

/** Asks the demo for something large, as a visitor would, and tells where it is shown and to whom. */
async function askForOutput(url: string): Promise<{ cookie: string; outputAddress: string }> {
  const { visit, say } = conversationWith(url);
  const { chunks } = await say('Why did checkout fail last night?');
  const path = JSON.stringify(chunks).match(/"full_output_path":"[^"]*?([\w.-]+)"/)?.[1];
  if (path === undefined) throw new Error('The demo kept no output: there is no page to look at.');
  return { cookie: visit.cookie, outputAddress: `${url}/a/${path}?chat=${visit.chat}` };
}

function table(measures: PageMeasure[]): string {
  const rows = measures.map((measure) => {
    const median = (numberOf: (report: LighthouseReport) => number | undefined) =>
      medianOf(measure.reports.map((report) => numberOf(report) ?? Number.NaN));
    const metric = (id: string) => median(({ audits }) => audits[id]?.numericValue);
    return {
      page: measure.page,
      ...Object.fromEntries(publicGoals.map(({ category }) => [category, scoreOf(measure, category)])),
      'LCP ms': Math.round(metric('largest-contentful-paint')),
      'TBT ms': Math.round(metric('total-blocking-time')),
      CLS: Number(metric('cumulative-layout-shift').toFixed(3)),
      'CPU index': Math.round(median(({ environment }) => environment.benchmarkIndex)),
    };
  });
  const cells = [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row).map(String))];
  return cells.map((row) => row.map((cell) => cell.padEnd(16)).join('')).join('\n');
}
