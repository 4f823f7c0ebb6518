'use client';

import { usePathname } from 'next/navigation';
import { expiryWords } from '../artifact-expiry';

/** Why the output that the address names is not here, as far as anybody is told. */
export function ArtifactNotHere({ retentionDays }: { retentionDays: number }) {
  const name = usePathname().slice('/a/'.length);
  return expiryWords(name, { retentionDays, now: Date.now() }) ?? 'It belongs to another chat, or was deleted.';
}
