import { MAX_MATCH_CHARS } from './redaction.ts';
import { type SecretPattern, secretPattern } from './redactor.ts';
import type { SecretRule } from './secret-finder.ts';

/** The end of a secret of letters and digits. */
const END = '(?![A-Za-z0-9])';
/** The text between a name and its value: `: `, `=`, `" => "` or `>`, also with escaped quotes. */
const IS = String.raw`(?:\\?["'])?\s{0,4}(?:=>|[:=>])\s{0,4}(?:\\?["'])?`;
/** A name of source code rarely has a digit, and a random text of this length almost always has one. */
const WITH_DIGIT = String.raw`(?=[\w.~+/=-]{0,40}\d)`;

/** Secrets that start with one of the starts. */
function token(kind: string, starts: string, rest: string, back = 0): [string, SecretRule] {
  return [kind, { starts: starts.split(' '), rest, ...(back > 0 && { back }) }];
}

/** Secrets that are recognized by the name before them. */
function named(kind: string, starts: string, before: string, rest: string): [string, SecretRule] {
  return [kind, { starts: starts.split(' '), before, rest }];
}

/** Each format as its vendor publishes it. Lengths are generous, because vendors change them. */
const RULES: readonly [kind: string, rule: SecretRule][] = [
  // Clouds
  token('aws-access-key', 'AKIA ASIA ABIA ACCA', `[A-Z0-9]{16}${END}`),
  named(
    'aws-secret-key',
    'ecretAccessKey ecret_access_key ECRET_ACCESS_KEY',
    IS,
    '[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])',
  ),
  named('aws-session-token', 'essionToken ession_token ESSION_TOKEN', IS, '[A-Za-z0-9/+]{100,4000}={0,2}'),
  token('aws-bedrock-key', 'ABSK', '[A-Za-z0-9+/]{60,300}={0,2}'),
  token('google-api-key', 'AIza', '[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])'),
  token('google-token', 'ya29.', '[A-Za-z0-9_.-]{20,2048}'),
  token('google-token', '1//0', '[A-Za-z0-9_-]{40,512}'),
  token('google-client-secret', 'GOCSPX-', '[A-Za-z0-9_-]{28}'),
  named('azure-key', 'AccountKey SharedAccessKey', IS, '[A-Za-z0-9+/]{43,86}={1,2}'),
  token(
    'azure-client-secret',
    '0Q~ 1Q~ 2Q~ 3Q~ 4Q~ 5Q~ 6Q~ 7Q~ 8Q~ 9Q~',
    '(?<=[A-Za-z0-9_.~-]{3}[0-9]Q~)[A-Za-z0-9_.~-]{31,34}',
    3,
  ),
  named('url-signature', 'sig= -Signature=', '', '[A-Za-z0-9%+/=]{43,600}'),
  token('alibaba-access-key', 'LTAI', `[A-Za-z0-9]{12,26}${END}`),
  token('digitalocean-token', 'dop_v1_ doo_v1_ dor_v1_', '[a-f0-9]{64}'),
  token('cloudflare-origin-key', 'v1.0-', '[a-f0-9]{24}-[a-f0-9]{146}'),
  token('vercel-token', 'vck_ vcp_ vci_ vca_ vcr_', `[A-Za-z0-9]{24,64}${END}`),
  token('vercel-token', 'vercel_blob_rw_', '[A-Za-z0-9]{16}_[A-Za-z0-9]{28,48}'),
  token('fly-token', 'fm1_ fm1r_ fm2_ fm1a_', '[A-Za-z0-9+/_-]{40,4000}={0,2}'),
  token('fly-token', 'fo1_', '[A-Za-z0-9_-]{43}'),
  token('heroku-key', 'HRKU-', '[A-Za-z0-9_-]{36,70}'),
  token('netlify-token', 'nfp_ nfc_', '[A-Za-z0-9_-]{36,40}'),
  token('supabase-key', 'sbp_ sb_secret_', '[A-Za-z0-9_-]{28,64}'),
  token('planetscale-token', 'pscale_tkn_ pscale_pw_ pscale_oauth_', '[A-Za-z0-9_=.-]{32,64}'),
  // Code and packages
  token('github-token', 'ghp_ gho_ ghu_ ghs_ ghr_', '[A-Za-z0-9]{36,255}'),
  token('github-token', 'github_pat_', '[A-Za-z0-9]{22}_[A-Za-z0-9]{59}'),
  token(
    'gitlab-token',
    'glpat- gldt- glrt- glptt- glcbt- glsoat- glft- glimt- glagent- gloas-',
    String.raw`[A-Za-z0-9_-]{20,300}(?:\.[0-9a-z]{2}\.[0-9a-z]{9})?`,
  ),
  token('atlassian-token', 'ATATT3 ATCTT3', '[A-Za-z0-9_=-]{50,500}'),
  token('bitbucket-password', 'ATBB', `[A-Za-z0-9]{28,40}${END}`),
  token('npm-token', 'npm_', `[A-Za-z0-9]{36}${END}`),
  named('npm-token', '_authToken= _auth=', '"?', '[A-Za-z0-9+/=_.-]{16,512}'),
  token('pypi-token', 'pypi-Ag', '[A-Za-z0-9_-]{50,1000}'),
  token('rubygems-key', 'rubygems_', '[a-f0-9]{48}'),
  token('docker-token', 'dckr_pat_ dckr_oat_', '[A-Za-z0-9_-]{27,40}'),
  // Models
  token('anthropic-key', 'sk-ant-', '[A-Za-z0-9_-]{32,255}'),
  token('openrouter-key', 'sk-or-v1-', '[a-f0-9]{64}'),
  token('openai-key', 'sk-proj- sk-svcacct- sk-admin- sk-None-', '[A-Za-z0-9_-]{20,255}'),
  token('openai-key', 'sk-', `[A-Za-z0-9]{32,64}${END}`),
  token('huggingface-token', 'hf_ api_org_', `[A-Za-z0-9]{34,40}${END}`),
  token('groq-key', 'gsk_', '[A-Za-z0-9]{52}'),
  token('xai-key', 'xai-', '[A-Za-z0-9]{70,90}'),
  token('perplexity-key', 'pplx-', `[A-Za-z0-9]{40,56}${END}`),
  token('replicate-token', 'r8_', `[A-Za-z0-9]{37}${END}`),
  // Payment
  token('stripe-key', 'sk_live_ sk_test_ rk_live_ rk_test_', `[A-Za-z0-9]{16,255}${END}`),
  token('webhook-secret', 'whsec_', '[A-Za-z0-9+/]{24,120}={0,2}'),
  token('square-token', 'sq0atp- sq0csp-', '[A-Za-z0-9_-]{22,43}'),
  token('braintree-token', 'access_token$production$ access_token$sandbox$', String.raw`[a-z0-9]{16}\$[a-f0-9]{32}`),
  token('shopify-token', 'shpat_ shpca_ shppa_ shpss_', '[a-fA-F0-9]{32}'),
  // Messages
  token('slack-token', 'xoxb- xoxp- xoxa- xoxr- xoxs- xoxo- xoxc- xoxd-', '[0-9]{1,14}-[A-Za-z0-9-]{8,250}'),
  token('slack-token', 'xoxe- xoxe.xoxb- xoxe.xoxp-', '[0-9]-[A-Za-z0-9-]{20,255}'),
  token('slack-token', 'xapp-', '[0-9]-[A-Z0-9]{5,20}-[0-9]{5,20}-[a-f0-9]{30,80}'),
  named(
    'slack-webhook',
    'hooks.slack.com/',
    '(?:services|workflows|triggers)/',
    '[A-Z0-9]{8,14}/[A-Z0-9]{8,14}/[A-Za-z0-9]{16,48}',
  ),
  named('discord-webhook', '/api/webhooks/', '[0-9]{16,20}/', '[A-Za-z0-9_-]{60,80}'),
  named('telegram-token', ':AA', '(?<=[0-9]{8}:AA)', '[A-Za-z0-9_-]{32,34}(?![A-Za-z0-9_-])'),
  token('twilio-key', 'SK0 SK1 SK2 SK3 SK4 SK5 SK6 SK7 SK8 SK9 SKa SKb SKc SKd SKe SKf', `[0-9a-f]{31}${END}`),
  token('sendgrid-key', 'SG.', String.raw`[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}`),
  token('mailgun-key', 'key-', `[0-9a-f]{32}${END}`),
  token('mailchimp-key', '-us', `(?<=[0-9a-f]{32}-us)[0-9]{1,2}${END}`, 32),
  token('brevo-key', 'xkeysib- xsmtpsib-', '[a-f0-9]{64}-[A-Za-z0-9]{16}'),
  // Operations
  token('vault-token', 'hvs. hvb. hvr.', '[A-Za-z0-9_-]{24,300}'),
  token('terraform-token', '.atlasv1.', String.raw`(?<=[A-Za-z0-9]{14}\.atlasv1\.)[A-Za-z0-9_=-]{60,70}`, 14),
  token('databricks-token', 'dapi', `[0-9a-f]{32}(?:-[0-9])?${END}`),
  token(
    'doppler-token',
    'dp.pt. dp.st. dp.ct. dp.sa. dp.scim. dp.audit.',
    String.raw`(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}`,
  ),
  token('pulumi-token', 'pul-', `[a-f0-9]{40}${END}`),
  token('linear-key', 'lin_api_ lin_oauth_', '[A-Za-z0-9]{32,64}'),
  token('notion-token', 'ntn_', `[A-Za-z0-9]{40,50}${END}`),
  token('notion-token', 'secret_', `[A-Za-z0-9]{43}${END}`),
  token('figma-token', 'figd_ figu_ figo_ figor_ figoh_', '[A-Za-z0-9_-]{40}'),
  token('postman-key', 'PMAK-', '[a-f0-9]{24}-[a-f0-9]{34}'),
  token('newrelic-key', 'NRAK- NRIQ- NRII-', '[A-Za-z0-9_-]{27,32}'),
  token('grafana-token', 'glsa_', '[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}'),
  token('grafana-token', 'glc_', 'eyJ[A-Za-z0-9+/]{32,400}={0,2}'),
  token('sentry-token', 'sntrys_', 'eyJ[A-Za-z0-9+/=_-]{32,500}'),
  token('sentry-token', 'sntryu_ sntrya_', '[a-f0-9]{64}'),
  token('dynatrace-token', 'dt0c01. dt0s01. dt0s16.', String.raw`[A-Z2-7]{24}\.[A-Z2-7]{64}`),
  token('posthog-key', 'phx_', '[A-Za-z0-9_-]{40,60}'),
  token('tailscale-key', 'tskey-', '[a-z]{3,10}-[A-Za-z0-9]{8,24}-[A-Za-z0-9]{16,64}'),
  token('age-key', 'AGE-SECRET-KEY-1', '[A-Z0-9]{58}'),
  token('onepassword-token', 'ops_', 'eyJ[A-Za-z0-9_=-]{100,4000}'),
  // Formats without a vendor
  ['jwt', { starts: ['eyJ'], rest: '', isWebToken: true }],
  [
    'private-key',
    { starts: ['-----BEGIN '], rest: '(?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----', endOf: endOfKey },
  ],
  named(
    'url-password',
    '://',
    String.raw`[^\s:/@?#"'<>()[\]{}|\\,;]{0,128}:`,
    String.raw`[^\s:/@?#"'<>|\\]{1,256}(?=@[A-Za-z0-9[.])`,
  ),
  named(
    'connection-password',
    'assword= wd=',
    String.raw`(?<=[;&?]\s{0,4}(?:P|p)(?:assword|wd)=)`,
    `[^;&"'\\s<>)}]{1,128}`,
  ),
  named(
    'authorization',
    'uthorization UTHORIZATION',
    String.raw`${IS}(?:Basic|basic|BASIC|Bearer|bearer|BEARER|Token|token|ApiKey|Apikey|apikey|Negotiate|Digest|AWS4-HMAC-SHA256)\s{1,4}`,
    String.raw`[\w.~+/=-]{6,8192}`,
  ),
  named('authorization', 'uthorization UTHORIZATION', IS, String.raw`${WITH_DIGIT}[\w.~+/=-]{20,8192}`),
  named('authorization', 'Bearer bearer', String.raw`(?:\s{1,4}|%20)`, String.raw`${WITH_DIGIT}[\w.~+/=-]{20,8192}`),
  named(
    'api-key',
    '-api-key -Api-Key -API-Key -API-KEY -auth-token -Auth-Token -AUTH-TOKEN PRIVATE-TOKEN Private-Token private-token',
    IS,
    String.raw`${WITH_DIGIT}[\w.~+/=-]{16,512}`,
  ),
];

/**
 * Formats of secrets: cloud keys, tokens with known prefixes, private keys, JSON Web Tokens, passwords in URLs and connection
 * strings, and `Authorization` headers. To leave one out, filter by `kind`.
 *
 * @example
 * const tools = truncateToolOutputs({ readServerLogs }, { store, scope: chatId, redact: secretPatterns });
 */
export const secretPatterns: readonly SecretPattern[] = /* @__PURE__ */ toPatterns();

function toPatterns(): SecretPattern[] {
  const rulesOf = new Map<string, SecretRule[]>();
  for (const [kind, rule] of RULES) rulesOf.set(kind, [...(rulesOf.get(kind) ?? []), rule]);
  return [...rulesOf].map(([kind, rules]) => secretPattern(kind, rules));
}

const DASHES = '-----';
const KEY_END = /-----END (?:[A-Z0-9]{1,16} ){0,4}PRIVATE KEY(?: BLOCK)?-----/y;
/** A line of a key, with the end of the line before it, which may be escaped. */
const KEY_LINE = /(?:\s|\\[nr]){1,16}[A-Za-z0-9+/=]{16,128}/y;
const LONGEST_KEY_LINE = 144;

/** The end of a private key. A key without an end line ends at the last line that looks like a key. Its name alone is no secret. */
function endOfKey(text: string, from: number): number | undefined {
  const last = from + MAX_MATCH_CHARS - LONGEST_KEY_LINE;
  // A key contains no dashes, so the search ends at the next key. A text with many beginnings is searched only once.
  const at = text.indexOf(DASHES, from);
  KEY_END.lastIndex = at;
  if (at >= 0 && at < last && KEY_END.test(text)) return KEY_END.lastIndex;
  let end = from;
  for (KEY_LINE.lastIndex = end; end < last && KEY_LINE.test(text); ) end = KEY_LINE.lastIndex;
  return end === from ? undefined : end;
}
