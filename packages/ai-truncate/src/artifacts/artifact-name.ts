/**
 * The grammar of names and scopes, and the only place that builds or reads a key:
 *
 * <scope key>/tool_<UTC date>_<UTC time>_<tool>_<call>_<80 random bits>.<txt|json|bin> <scope key>/<the same>.info.json
 * <scope key>/history_<tool>_<call>_<80 bits of the hash of the content>.txt, for a result that was moved out of a long conversation
 *
 * Every part is lower case, so that no file system treats two names as one. The parts that come from a model are for people;
 * only the last part identifies an artifact.
 */
export interface ArtifactNameParts {
  /** The time of the save to the second, by the clock of the process. Absent in names that depend on the content. */
  createdAt?: Date;
  /** The tool's name, reduced to lower-case letters, digits and `-`. */
  tool: string;
  /** The call id, reduced in the same way. */
  call: string;
  /** The random part, or the hash. It alone identifies the artifact within its scope. */
  id: string;
  extension: ArtifactExtension;
}

/** The extension of an artifact: JSON, other text, and content that is not text. */
export type ArtifactExtension = 'txt' | 'json' | 'bin';

/** Media types of text that do not start with `text/`. */
const TEXT =
  /[/+](x-)?(ndjson|jsonl|json-seq|xml|yaml|toml|csv|javascript|ecmascript|typescript|sql|graphql|sh|httpd-php|www-form-urlencoded)$/;

export function extensionFor(mediaType: string): ArtifactExtension {
  const type = mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (/[/+]json$/.test(type)) return 'json';
  return /^text(\/|$)/.test(type) || TEXT.test(type) ? 'txt' : 'bin';
}

const MAX_TOOL_LENGTH = 32;
const MAX_CALL_LENGTH = 24;
/** More than a slug can contain, but cheap to normalize. */
const MAX_SLUGGED_CHARS = 256;
const ID_BYTES = 10;
/** Crockford's alphabet, without letters that look like digits. */
const BASE32 = '0123456789abcdefghjkmnpqrstvwxyz';
const ID = /^[0-9a-hjkmnp-tv-z]{16}$/;
const NAME =
  /^tool_(\d{4})(\d{2})(\d{2})_(\d{2})(\d{2})(\d{2})_([a-z0-9][a-z0-9-]{0,31})_([a-z0-9][a-z0-9-]{0,23})_([0-9a-hjkmnp-tv-z]{16})\.(txt|json|bin)$/;
const HISTORY_NAME = /^history_([a-z0-9][a-z0-9-]{0,31})_([a-z0-9][a-z0-9-]{0,23})_([0-9a-hjkmnp-tv-z]{16})\.txt$/;
const INFO_SUFFIX = '.info.json';

/** A new, unique name. */
export function createArtifactName(parts: {
  toolName: string;
  toolCallId: string;
  mediaType: string;
  createdAt: Date;
}): string {
  const [date, time] = parts.createdAt.toISOString().slice(0, 19).replace(/[-:]/g, '').split('T');
  const { tool, call } = slugsOf(parts);
  const id = base32(crypto.getRandomValues(new Uint8Array(ID_BYTES)));
  return `tool_${date}_${time}_${tool}_${call}_${id}.${extensionFor(parts.mediaType)}`;
}

/** The call that an artifact belongs to. */
export interface NamedCall {
  toolName: string;
  toolCallId: string;
}

/** The name of a result that was moved out of a conversation. The same call and content always have the same name. */
export function historyName(call: NamedCall, contentHash: Uint8Array): string {
  const slugs = slugsOf(call);
  return `history_${slugs.tool}_${slugs.call}_${base32(contentHash.subarray(0, ID_BYTES))}.txt`;
}

/** Whether the artifact with this name was saved for this call. A text that a tool relays cannot contain the id of the call. */
export function isNameOfCall(name: string, call: NamedCall): boolean {
  const parts = parseArtifactName(name);
  const slugs = slugsOf(call);
  return parts !== undefined && slugs.call !== NO_CALL && parts.tool === slugs.tool && parts.call === slugs.call;
}

const NO_CALL = 'call';

function slugsOf({ toolName, toolCallId }: NamedCall): { tool: string; call: string } {
  // `readServerLogs` becomes `read-server-logs`, which is easier to read. In an id, capitals have no meaning.
  const words = toolName.slice(0, MAX_SLUGGED_CHARS).replace(/([a-z0-9])([A-Z])/g, '$1-$2');
  const tool = slug(words, MAX_TOOL_LENGTH) || 'tool';
  const call = slug(toolCallId.slice(0, MAX_SLUGGED_CHARS), MAX_CALL_LENGTH) || NO_CALL;
  return { tool, call };
}

/** The parts of a name; `undefined` for any other text. */
export function parseArtifactName(name: string): ArtifactNameParts | undefined {
  const history = HISTORY_NAME.exec(name);
  if (history) {
    const [, tool = '', call = '', id = ''] = history;
    return { tool, call, id, extension: 'txt' };
  }
  const match = NAME.exec(name);
  if (!match) return undefined;
  const [, year, month, day, hour, minute, second, tool = '', call = '', id = '', extension] = match;
  const createdAt = new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  // 31 June and 25 o'clock do not exist.
  if (Number.isNaN(createdAt.getTime()) || createdAt.getUTCDate() !== Number(day)) return undefined;
  return { createdAt, tool, call, id, extension: extension as ArtifactExtension };
}

/**
 * The name of the artifact at the end of a path, e.g. for a link in a UI; `undefined` if there is none. It does not say whether
 * the artifact exists, or who owns it.
 */
export function artifactNameOf(path: string): string | undefined {
  // A name has at most 120 characters, so a longer end is not needed.
  const end = path.slice(-200);
  const name = end.slice(Math.max(end.lastIndexOf('/'), end.lastIndexOf('\\')) + 1);
  return parseArtifactName(name) ? name : undefined;
}

/** Whether this is the part of a name that identifies its artifact. */
export function isArtifactId(text: string): boolean {
  return ID.test(text);
}

export function artifactKey(scopeKey: string, name: string): string {
  return `${scopeKey}/${name}`;
}

/** The key of the side-car of the artifact under `key`. */
export function infoKey(key: string): string {
  return `${key}${INFO_SUFFIX}`;
}

/** The parts of a key in a store; `undefined` for foreign keys. */
export function parseKey(
  key: string,
): { kind: 'artifact' | 'info'; artifactKey: string; name: string; parts: ArtifactNameParts } | undefined {
  const kind = key.endsWith(INFO_SUFFIX) ? 'info' : 'artifact';
  const ofArtifact = kind === 'info' ? key.slice(0, -INFO_SUFFIX.length) : key;
  const slash = ofArtifact.indexOf('/');
  const name = ofArtifact.slice(slash + 1);
  const parts = isScopeKey(ofArtifact.slice(0, slash)) ? parseArtifactName(name) : undefined;
  return parts && { kind, artifactKey: ofArtifact, name, parts };
}

/** Names that are devices on Windows, in any case and with any extension. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/;
const SAFE_TOKEN = /^[a-z0-9][a-z0-9-]{0,31}$/;
const HASHED = /^_[0-9a-hjkmnp-tv-z]{26}$/;
const HASH_LENGTH = 26;

/** The folder of a scope. Two scopes never share one: a safe token is used unchanged, and anything else becomes its hash. */
export async function toScopeKey(scope: string): Promise<string> {
  if (SAFE_TOKEN.test(scope) && !RESERVED.test(scope)) return scope;
  const digest = await crypto.subtle.digest('SHA-256', codeUnits(scope));
  return `_${base32(new Uint8Array(digest)).slice(0, HASH_LENGTH)}`;
}

function isScopeKey(text: string): boolean {
  return HASHED.test(text) || (SAFE_TOKEN.test(text) && !RESERVED.test(text));
}

/** Two bytes per unit. In UTF-8, all lone surrogates would become the same replacement, and their owners the same owner. */
function codeUnits(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length * 2);
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    bytes[2 * index] = unit & 0xff;
    bytes[2 * index + 1] = unit >> 8;
  }
  return bytes;
}

function slug(text: string, maxLength: number): string {
  const words = text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
  return words.replace(/^-/, '').slice(0, maxLength).replace(/-$/, '');
}

/** Five bits per character. The incomplete bits at the end are dropped. */
function base32(bytes: Uint8Array): string {
  let text = '';
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = ((value << 8) | byte) & 0xfff;
    bits += 8;
    for (; bits >= 5; bits -= 5) text += BASE32[(value >> (bits - 5)) & 31];
  }
  return text;
}
