/** How the name of an artifact ends: JSON, other text, and what is no text. */
export type ArtifactExtension = 'txt' | 'json' | 'bin';

/** What is text without being called so. */
const TEXT =
  /[/+](x-)?(ndjson|jsonl|json-seq|xml|yaml|toml|csv|javascript|ecmascript|typescript|sql|graphql|sh|httpd-php|www-form-urlencoded)$/;

export function extensionFor(mediaType: string): ArtifactExtension {
  const type = mediaType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (/[/+]json$/.test(type)) return 'json';
  return /^text(\/|$)/.test(type) || TEXT.test(type) ? 'txt' : 'bin';
}
