import type { ProfileField } from '../json/json-profile.ts';
import { fieldWords, VALUES_SHOWN } from '../text/profile-words.ts';
import { byteLength } from '../text/utf.ts';

/** The largest share of a preview for the profile of its records. */
export const PROFILE_SHARE = 0.25;

export interface ProfileRoom {
  /** The number of counted records. */
  records: number;
  /** UTF-8 bytes of all fields, each with a separator of one byte. */
  maxBytes: number;
  /** A field as a part of the preview. */
  write: (name: string, words: string) => string;
}

/**
 * The fields of a profile in their order, as many as fit. All fields have their types and ranges before one has its frequent values.
 * Fields with the fewest different values are next, because people ask how many records have a status or a type.
 */
export function fitFields(fields: readonly ProfileField[], { records, maxBytes, write }: ProfileRoom): string[] {
  const shown = new Map<ProfileField, string>();
  let room = maxBytes;
  const textOf = (field: ProfileField, most: number) => write(field.name, fieldWords(field.summary, { records, most }));
  for (const field of fields) {
    const text = textOf(field, 0);
    const bytes = byteLength(text) + 1;
    if (bytes > room) continue;
    room -= bytes;
    shown.set(field, text);
  }
  for (const field of [...shown.keys()].sort((one, other) => differentOf(one) - differentOf(other))) {
    const known = byteLength(shown.get(field) ?? '');
    for (const most of VALUES_SHOWN) {
      const text = textOf(field, most);
      const more = byteLength(text) - known;
      if (more > room) continue;
      room -= more;
      shown.set(field, text);
      break;
    }
  }
  return fields.flatMap((field) => shown.get(field) ?? []);
}

function differentOf({ summary }: ProfileField): number {
  return summary.values?.different ?? Number.POSITIVE_INFINITY;
}
