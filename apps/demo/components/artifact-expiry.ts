import { artifactNameOf } from 'ai-truncate/ui';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * What the name of an output says when there is no such output: that its time is over. From the name and nothing else, so the
 * same for one that never was; `undefined` when it would not be over yet, or the name has no date.
 */
export function expiryWords(name: string, { retentionDays, now }: { retentionDays: number; now: number }) {
  const madeAt = madeAtOf(name);
  if (madeAt === undefined || now < madeAt + retentionDays * DAY_MS) return undefined;
  const days = retentionDays === 1 ? '1 day' : `${retentionDays} days`;
  return `It is saved for ${days}, and its name has the date ${isoDay(madeAt)}, so it has expired.`;
}

function madeAtOf(name: string): number | undefined {
  const time = /^tool_(\d{4})(\d{2})(\d{2})_(\d{2})(\d{2})(\d{2})_/.exec(artifactNameOf(name) ?? '');
  if (!time) return undefined;
  const [, year, month, day, hour, minute, second] = time.map(Number);
  return Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour, minute, second);
}

/** How long ago something expired, `2 h`; `undefined` while it has not. */
export function expiredSince(expiresAt: string | undefined, now: number): string | undefined {
  const minutes = Math.floor((now - Date.parse(expiresAt ?? '')) / 60_000);
  // Also for no date at all.
  if (!(minutes >= 0)) return undefined;
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h`;
  return `${Math.floor(minutes / (24 * 60))} days`;
}

function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
