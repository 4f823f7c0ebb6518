import localFont from 'next/font/local';

// Only the Latin part: with the rest of the world's letters, the two would weigh as much as all scripts. Others are drawn by
// the system's own fonts. Next.js reads these calls before they run: nothing in them can be a name.
export const sans = localFont({
  src: '../node_modules/@fontsource-variable/geist/files/geist-latin-wght-normal.woff2',
  variable: '--font-geist-sans',
  weight: '100 900',
});

export const mono = localFont({
  src: '../node_modules/@fontsource-variable/geist-mono/files/geist-mono-latin-wght-normal.woff2',
  variable: '--font-geist-mono',
  weight: '100 900',
  // Its letters are as wide as each other: those of Arial are no stand-in.
  adjustFontFallback: false,
});
