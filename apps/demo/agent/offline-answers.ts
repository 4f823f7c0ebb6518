/** What the offline model says to everything it has no rule for. */
export const whatTheOfflineModelCanDo = [
  'I am a handful of rules, so I can do one thing: read the server logs of the last night and say what failed.',
  'Ask me “Why did checkout fail last night?”.',
].join(' ');

/** Names the failure that stands in the part of the log that the model received. */
export function answerFromLog(log: string): string {
  const failures = log.split('\n').filter((line) => / (ERROR|FATAL) /.test(line));
  const [first, ...others] = failures.map(parseLogLine);
  if (!first) {
    return 'The part of the log that I received names no failure.';
  }

  const cause = others.find(({ message }) => message.startsWith('cause: '));
  const received = log.match(/^.* incomplete: ([\d,]+ of [\d,]+ lines) shown\./)?.[1];
  return [
    `At ${first.time}, ${first.instance} failed: ${first.message}.`,
    cause && `The log gives the cause: ${cause.message.slice('cause: '.length)}.`,
    received && `I answer from a part of the log: ${received}.`,
  ]
    .filter(Boolean)
    .join('\n\n');
}

function parseLogLine(line: string) {
  // A line out of the middle stands behind its number.
  const [timestamp = '', , instance = '', ...words] = line.replace(/^\d+: /, '').split(/\s+/);
  return { time: timestamp.slice(11, 19), instance, message: words.join(' ') };
}
