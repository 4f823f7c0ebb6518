import { priceList } from './price-list';

/** The files that an agent may change, of one chat. */
export interface Workspace {
  /** POSIX paths, sorted. */
  paths(): string[];
  /** The text of a file; `undefined` when there is none of this path. */
  read(path: string): string | undefined;
  /** Resolves when the change is where it lasts. */
  write(path: string, content: string): Promise<void>;
}

/** The largest text of a file. */
export const maxFileChars = 64 * 1024;

/**
 * The workspace of a chat: the files that every chat begins with, and over them those that it wrote. A path is a name in this
 * list and never opened on a disk.
 */
export function workspaceOf(
  written: Map<string, string>,
  save: (file: { path: string; content: string }) => Promise<void>,
): Workspace {
  const files = new Map([...firstFiles, ...written]);
  return {
    paths: () => [...files.keys()].sort(),
    read: (path) => files.get(path),
    async write(path, content) {
      await save({ path, content });
      files.set(path, content);
    },
  };
}

/** One number differs from the price list: what the tests of the shop find. */
const shipping = { ...priceList, IE: { freeFrom: 60.5, fee: 5.9 } };

const firstFiles: readonly (readonly [string, string])[] = [
  ['config/shipping.json', `${JSON.stringify(shipping, null, 2)}\n`],
  [
    'README.md',
    [
      '# Shop configuration',
      '',
      '`config/shipping.json`: for each country the shipping fee in euros, and the order value from which shipping is free.',
      'The tests compare it with the price list that customers were given: run them after each change.',
      '',
    ].join('\n'),
  ],
];
