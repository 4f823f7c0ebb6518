import type { ProfileField } from '../json/json-profile.ts';
import { fieldWords, VALUES_SHOWN } from '../text/profile-words.ts';
import { byteLength } from '../text/utf.ts';

/** The largest share of a preview for the profile of its records. */
export const PROFILE_SHARE = 0.25;

export interface ProfileRoom {
  /** The number of counted records. */
  records: number;
  /** The room for all fields in UTF-8 bytes. Each field has a separator of one byte. */
  maxBytes: number;
  /** A field as a part of the preview. */
  write: (name: string, words: string) => string;
}

/** Fields of fewer records come last, because a list of packages has a thousand names of dependencies. */
const COMMON_SHARE = 0.1;

/**
 * The fields of a profile that fit, in their order. First, all common fields get their types and ranges. Then fields get their frequent
 * values, beginning with the fewest different values, because people ask how many records have a status or a type.
 */
export function fitFields(fields: readonly ProfileField[], room: ProfileRoom): string[] {
  const isCommon = ({ summary }: ProfileField) => summary.present >= room.records * COMMON_SHARE;
  const shown = new Map<ProfileField, string>();
  const left = fitGroup(fields.filter(isCommon), { shown, ...room });
  const isRare = (field: ProfileField) => !isCommon(field);
  fitGroup(fields.filter(isRare), { shown, ...room, maxBytes: left });
  return fields.flatMap((field) => shown.get(field) ?? []);
}

/** Adds the fields that fit. Returns the bytes that are left. */
function fitGroup(
  fields: readonly ProfileField[],
  { shown, records, maxBytes, write }: ProfileRoom & { shown: Map<ProfileField, string> },
): number {
  let room = maxBytes;
  const textOf = (field: ProfileField, most: number) => write(field.name, fieldWords(field.summary, { records, most }));
  const fitting = fields.filter((field) => {
    const text = textOf(field, 0);
    const bytes = byteLength(text) + 1;
    if (bytes > room) return false;
    room -= bytes;
    shown.set(field, text);
    return true;
  });
  for (const field of fitting.sort((one, other) => differentOf(one) - differentOf(other))) {
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
  return room;
}

function differentOf({ summary }: ProfileField): number {
  return summary.values?.different ?? Number.POSITIVE_INFINITY;
}
