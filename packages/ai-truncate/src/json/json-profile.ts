import type { Steps } from '../pace.ts';
import { FieldProfile, type FieldSummary } from '../text/field-profile.ts';
import { HASH_START, hashUnit, setWhole, ValueRoom } from '../text/value-counts.ts';
import {
  DEEP_OBJECT,
  ENTER,
  ITEMS,
  type ItemScanner,
  LEAVE,
  MAX_FIELD_DEPTH,
  NO_VALUE,
  TEXT,
  WORD,
} from './item-scanner.ts';
import {
  type FoundValue,
  LIST,
  type Member,
  memberOf,
  NULL,
  OBJECT,
  RecordValues,
  VALUE,
  type ValueVisitor,
} from './record-values.ts';

/** The profile of one field over all records of a list: counts, range and frequent values. */
export interface ProfileField {
  /** Names of nested fields are joined with dots. */
  name: string;
  summary: FieldSummary;
}

const MAX_FIELDS = 200;
/** Objects with these names are not fields themselves. */
const MAX_NAMES = 400;
const MAX_NAME_CHARS = 256;

/** Counts every record of a list while it flows, in bounded memory. */
export class JsonProfile implements ValueVisitor {
  readonly maxDepth: number = MAX_FIELD_DEPTH;
  readonly #root = memberOf('', undefined);
  readonly #fields: { path: string; field: FieldProfile }[] = [];
  readonly #room = new ValueRoom();
  readonly #values = new RecordValues(this);
  readonly #value: FoundValue = {
    ...{ text: '', from: 0, to: 0, hash: 0, isLiteral: false, kind: VALUE, items: 0 },
    member: this.#root,
  };
  #names = 0;
  /** The member for each entry of the scanner. They belong to the last list of keys in which all keys were known. */
  readonly #scannedMembers: (Member | undefined)[] = [];
  #scannedKeys = -1;
  count = 0;

  get isFull(): boolean {
    return this.#names === MAX_NAMES;
  }

  /** Counts a record in JSON. Returns false if it is not valid. */
  addText(text: string, { from = 0, to = text.length }: { from?: number; to?: number } = {}): boolean {
    if (this.#values.read({ text, from, to }, this.#root)) {
      this.count++;
      return true;
    }
    try {
      this.add(JSON.parse(text.slice(from, to)));
      return true;
    } catch {
      return false;
    }
  }

  /** Counts the record that a scanner has read. Returns false if its text must be read instead. */
  addScanned(item: ItemScanner): boolean {
    if (!item.isPlain) return false;
    if (item.keys !== this.#scannedKeys) {
      this.#scannedKeys = -1;
      if (!this.#findMembers(item)) return false;
      this.#scannedKeys = item.keys;
    }
    this.count++;
    const members = this.#scannedMembers;
    for (let at = 0; at < item.count; at++) {
      const member = members[at];
      if (member && item.kinds[at] !== ENTER) this.#addScannedValue(member, item, at);
    }
    return true;
  }

  #addScannedValue(member: Member, { text, units, kinds, starts, ends, amounts }: ItemScanner, at: number): void {
    const found = this.#value;
    const kind = kinds[at] as number;
    found.member = member;
    if (kind === ITEMS) {
      found.kind = LIST;
      found.items = amounts[at] as number;
    } else if (kind === DEEP_OBJECT) found.kind = OBJECT;
    else if (kind === NO_VALUE) found.kind = NULL;
    else {
      const from = starts[at] as number;
      const to = ends[at] as number;
      found.kind = VALUE;
      found.isLiteral = kind === WORD;
      if (kind === TEXT && amounts[at] === 1) setWhole(found, JSON.parse(text.slice(from - 1, to + 1)) as string);
      else {
        found.text = text;
        found.from = from;
        found.to = to;
        found.hash = member.field?.countsValues === false ? 0 : hashOf(units, from, to);
      }
    }
    this.visit(found);
  }

  /** Finds the member of each entry. Returns false if a member is unknown or occurs twice. */
  #findMembers({ text, kinds, keyStarts, keyEnds, count }: ItemScanner): boolean {
    const around: Member[] = [];
    const seen = new Set<Member>();
    let members: Member | undefined = this.#root;
    for (let at = 0; at < count; at++) {
      if (kinds[at] === LEAVE) {
        members = around.pop();
        this.#scannedMembers[at] = undefined;
        continue;
      }
      const name = text.slice(keyStarts[at], keyEnds[at]);
      const member = members?.byName.get(name);
      // If two members have the same name, the last one counts, as in any parser.
      if (member ? seen.has(member) : !this.isFull) return false;
      if (member) seen.add(member);
      this.#scannedMembers[at] = member;
      if (kinds[at] !== ENTER) continue;
      around.push(members ?? this.#root);
      if (!member) return false;
      members = member;
    }
    return true;
  }

  /** Releases the memory of the chunk. */
  endChunk(): void {
    this.#values.end();
    this.#value.text = '';
    for (const { field } of this.#fields) field.endChunk();
  }

  /** Counts a parsed record. */
  add(record: unknown): void {
    this.count++;
    if (isObject(record)) this.#addMembers(record, this.#root);
  }

  #addMembers(record: object, around: Member): void {
    for (const name in record) {
      const member = around.byName.get(name) ?? this.#newMember(name, around);
      if (member) this.#addValue(member, (record as Record<string, unknown>)[name]);
    }
  }

  #newMember(name: string, around: Member): Member | undefined {
    if (this.isFull || name.length > MAX_NAME_CHARS || around.path.length > MAX_NAME_CHARS) return undefined;
    this.#names++;
    return memberOf(name, around);
  }

  #addValue(member: Member, value: unknown): void {
    if (isObject(value) && member.depth < MAX_FIELD_DEPTH) {
      this.#addMembers(value, member);
      return;
    }
    const found = this.#value;
    found.member = member;
    found.kind = kindOf(value);
    if (Array.isArray(value)) found.items = value.length;
    if (found.kind === VALUE) {
      setWhole(found, String(value));
      found.isLiteral = typeof value !== 'string';
    }
    this.visit(found);
  }

  visit(value: FoundValue): void {
    const { member } = value;
    const field = member.field ?? this.#newField(member);
    if (!field) return;
    if (value.kind === VALUE) field.add(value);
    else if (value.kind === NULL) field.addNull();
    else if (value.kind === LIST) field.addList(value.items);
    else field.addObject();
  }

  #newField(member: Member): FieldProfile | undefined {
    if (this.#fields.length === MAX_FIELDS) return undefined;
    const field = new FieldProfile(this.#room);
    member.field = field;
    this.#fields.push({ path: member.path, field });
    return field;
  }

  /** The fields in their order. Each step makes one field, because a field may have a thousand values to sort. */
  *finish(): Steps<ProfileField[]> {
    const fields: ProfileField[] = [];
    for (const { path, field } of this.#fields) {
      fields.push({ name: path, summary: field.finish() });
      yield;
    }
    return fields;
  }
}

function hashOf(units: Uint16Array, from: number, to: number): number {
  let hash = HASH_START;
  for (let at = from; at < to; at++) hash = hashUnit(hash, units[at] as number);
  return hash;
}

function kindOf(value: unknown): number {
  if (value === null) return NULL;
  if (Array.isArray(value)) return LIST;
  return typeof value === 'object' ? OBJECT : VALUE;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
