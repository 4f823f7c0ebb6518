import type { Incident } from './incident';
import { failureWords, messageOf, timeOf } from './incident';
import type { Aspect } from './meaning';
import type { Count, NumberedLine } from './saved-outputs';

/** The findings about a failure, and the lines that prove them. */
export interface Finding {
  conclusion: string;
  evidence: { path: string; start_line: number; end_line: number; quote: string }[];
}

const MAX_QUOTE_CHARS = 300;
const MAX_IDS = 20;

/** The answer to one question about a failure, in sentences, from the found lines. */
export function findingOf(incident: Incident, { aspect, path }: { aspect: Aspect; path: string }): Finding {
  const sentences = {
    cause: whyWords,
    start: startWords,
    end: endWords,
    count: countWords,
    ids: idWords,
    who: whoWords,
    health: healthWords,
  };
  const { cause, deployed, first, last, end } = incident;
  const proof: Record<Aspect, (NumberedLine | undefined)[]> = {
    cause: [cause, first, end],
    start: [cause, first],
    end: [last, end],
    count: [first, last],
    ids: [first, last],
    who: [deployed, end],
    health: [first, end],
  };
  const lines = proof[aspect].filter((line) => line !== undefined).sort((one, other) => one.line - other.line);
  return {
    conclusion: sentences[aspect](incident),
    evidence: lines.map(({ line, text }) => ({
      path,
      start_line: line,
      end_line: line,
      quote: text.slice(0, MAX_QUOTE_CHARS),
    })),
  };
}

/** The answer for a log without a failure. It lists the words that were searched for. */
export function quietWords(): string {
  return `No line reports a failure. Each of these words is in 0 lines of the log: ${failureWords.join(', ')}.`;
}

function whyWords(incident: Incident): string {
  const cause = causeSentence(incident);
  const sentences = cause?.startsWith(QUOTED_CAUSE) ? [spanSentence(incident), cause] : [cause, spanSentence(incident)];
  return sentences.filter(Boolean).join(' ');
}

function startWords(incident: Incident): string {
  const { first } = incident;
  return [
    `The first failure is in line ${number(first.line)}${atTime(first)}: ${codeOf(messageOf(first))}.`,
    causeSentence(incident),
  ]
    .filter(Boolean)
    .join(' ');
}

function endWords({ last, end }: Incident): string {
  if (!end) return 'I found no line about the end of the failure.';
  return `${last ? `The last failure is in line ${number(last.line)}${atTime(last)}. ` : ''}Line ${number(end.line)} ends it${atTime(end)}: ${codeOf(messageOf(end))}.`;
}

function countWords(incident: Incident): string {
  const { lines, events } = incident;
  const withStack = lines.lines > events.lines ? ` With their stack lines, that is ${counted(lines)} log lines.` : '';
  return `${spanSentence(incident)}${withStack}`;
}

function idWords(incident: Incident): string {
  const ids = incident.firstEvents.flatMap((line) => /\border (\d{1,12})\b/.exec(line.text)?.[1] ?? []);
  if (ids.length === 0) return `${spanSentence(incident)} Their lines name no order.`;
  const shown = ids.slice(0, MAX_IDS);
  return `${spanSentence(incident)} The first ${shown.length} orders: ${shown.join(', ')}.`;
}

function whoWords({ deployed, end, cause }: Incident): string {
  const by = deployed && /\bdeploy (\S+) by (\S+?):?(?: |$)/.exec(deployed.text);
  if (!by)
    return `No line near the first failure names a person.${cause ? ` Line ${number(cause.line)} says: ${codeOf(messageOf(cause))}.` : ''}`;
  const back = end && /\brollback to deploy (\S+) by (\S+?):?(?: |$)/.exec(end.text);
  const undone = back ? ` \`${back[2]}\` rolled it back to ${back[1]}${atTime(end)}.` : '';
  return `\`${by[2]}\` deployed ${by[1]}${atTime(deployed)}.${undone}`;
}

function healthWords(incident: Incident): string {
  const state = incident.end
    ? 'It failed for a while and then worked again: no failure follows until the end of the log.'
    : 'It failed, and I found no line about the end of the failure.';
  return [state, spanSentence(incident), causeSentence(incident)].filter(Boolean).join(' ');
}

const QUOTED_CAUSE = 'Just before the first failure';

/** The cause. A changed setting is described, and any other cause is quoted. */
function causeSentence({ cause }: Incident): string | undefined {
  if (!cause) return undefined;
  const change = /(?:^| )(\S{1,80}) changed from (\S{1,40}) to ([\w.]{1,40})(?: \(deploy (\S{1,40})\))?/.exec(
    cause.text,
  );
  if (!change) return `${QUOTED_CAUSE}, line ${number(cause.line)} says: ${codeOf(messageOf(cause))}.`;
  const [, setting = '', from = '', to = '', deploy] = change;
  const verb = Number(to) < Number(from) ? 'cut' : Number(to) > Number(from) ? 'raised' : 'changed';
  const unit = /(?:Ms|_ms)$/.test(setting) ? ' ms' : '';
  return `${deploy ? `Deploy ${deploy.replace(/\)$/, '')}` : 'A change'} ${verb} \`${setting}\` from ${number(from)} to ${number(to)}${unit}.`;
}

/** The number of failures, the first and the last one, and the line that ended them. */
function spanSentence(incident: Incident): string {
  const { first, last, end, events } = incident;
  const [from, to] = [clockOf(first), last && clockOf(last)];
  const time = from && to && last !== first ? ` between ${from} and ${to} UTC` : from ? ` from ${from} UTC on` : '';
  return `${eventWords(first, events)}${time}${end ? `, ${endOf(end)}` : ''}.`;
}

/** `613 orders were not charged`, from one line that says `order 48215 was not charged`. */
function eventWords(first: NumberedLine, events: Count): string {
  const [said = ''] = messageOf(first).split(': ', 1);
  const one = /^([a-z]{2,20})(?: of [a-z]{2,20})? #?\d{1,12} was ([a-z ]{3,80})$/.exec(said);
  if (!one) return `${counted(events)} ${events.lines === 1 ? 'line says' : 'lines say'} ${codeOf(messageOf(first))}`;
  return events.lines === 1 ? `1 ${one[1]} was ${one[2]}` : `${counted(events)} ${one[1]}s were ${one[2]}`;
}

function endOf(end: NumberedLine): string {
  const rollback = /\brollback to deploy (\S{1,40}) by (\S{1,40}?):/.exec(end.text);
  if (rollback) return `until \`${rollback[2]}\` rolled back to deploy ${rollback[1]}`;
  return `until line ${number(end.line)}: ${codeOf(messageOf(end))}`;
}

/** A number of lines or events. A search that ran out of time knows only a lower bound. */
export function counted({ lines, isExact }: Count): string {
  return `${isExact ? '' : 'at least '}${number(lines)}`;
}

function atTime(line: NumberedLine): string {
  const time = timeOf(line);
  return time === undefined ? '' : ` at ${clockOf(line)} UTC on ${time.slice(0, 10)}`;
}

function clockOf(line: NumberedLine): string | undefined {
  return timeOf(line)?.slice(11, 19);
}

/** A number with separators; any other text unchanged. */
export function number(value: number | string): string {
  return /^\d{4,15}$/.test(String(value)) ? Number(value).toLocaleString('en') : String(value);
}

/** A text as code, so that it is not parsed as Markdown. */
export function codeOf(text: string): string {
  return `\`${text.trim().replace(/\s+/g, ' ').replaceAll('`', "'")}\``;
}
