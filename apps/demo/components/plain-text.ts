// Colours and cursor movements (CSI), titles and links (OSC), and the short escapes.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: see above.
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/**
 * A text of a tool as it can be shown: without colours, and with what is invisible or reorders text made visible. Whoever
 * wrote the text must not decide how the rest of the page reads.
 */
export function plainText(text: string): string {
  return text
    .replace(ESCAPES, '')
    .replace(/\r\n/g, '\n')
    .replace(INVISIBLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
