import type { BenchPart } from './bench-part.ts';
import { decide } from './decide.ts';
import { firstToken } from './first-token.ts';
import { grep } from './grep.ts';
import { history } from './history/history.ts';
import { http } from './http.ts';
import { preview } from './preview.ts';
import { query } from './query.ts';
import { save } from './save.ts';
import { usefulness } from './usefulness/usefulness.ts';
import { windows } from './windows.ts';

/** All parts, in the order of docs/figures.md, with their names for `pnpm bench <name>`. */
export const parts: Readonly<Record<string, BenchPart>> = {
  decide,
  preview,
  save,
  windows,
  grep,
  query,
  http,
  'first-token': firstToken,
  usefulness,
  history,
};
