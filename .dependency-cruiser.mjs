import { builtinModules } from 'node:module';

// The rooms of the library, and which other rooms each may import. A folder of `src/` is a room, and the files directly in
// `src/` are entries, except for those of the base. Tests may import anything, so they are left out.
const source = '^packages/ai-truncate/src/';

/** Every room may import these. They import each other, without a circle. */
const baseFiles = ['reader-limits', 'errors', 'deadlines', 'options', 'turn-queue', 'time-slice', 'pace'];
const baseRooms = ['text', 'protocol'];

/** @type {Record<string, string[]>} */
const rooms = {
  json: [],
  preview: ['json'],
  stores: [],
  artifacts: ['stores', 'json'],
  windows: ['artifacts', 'json'],
  search: ['artifacts', 'json', 'windows'],
  records: ['artifacts', 'json'],
  query: ['records'],
  readers: ['artifacts', 'search', 'windows', 'records', 'query', 'json'],
  agents: ['readers', 'search', 'windows', 'artifacts'],
  delivery: ['preview', 'artifacts', 'json', 'stores'],
  middleware: ['delivery', 'preview', 'artifacts', 'json'],
  tools: ['delivery', 'middleware', 'readers', 'agents', 'preview', 'artifacts'],
  http: ['artifacts', 'search', 'windows', 'stores'],
  extras: ['delivery', 'artifacts', 'preview'],
  config: ['extras', 'tools', 'artifacts', 'preview'],
};

/** @param {string[]} names */
const inRoomsOrBase = (names) => `${source}((${[...names, ...baseRooms].join('|')})/|(${baseFiles.join('|')})\\.ts$)`;
const inBase = inRoomsOrBase([]);
// Modules of Node are named without `node:`, also when they are imported with it.
const nodeModule = `^(${builtinModules.join('|')})$`;

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'No file imports itself in a circle',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'The library imports nothing of the workspace but its own source',
      severity: 'error',
      from: { path: source },
      to: { dependencyTypes: ['local'], pathNot: source },
    },
    {
      name: 'The base imports the base only',
      severity: 'error',
      from: { path: inBase },
      to: { path: source, pathNot: inBase },
    },
    ...Object.entries(rooms).map(([room, others]) => ({
      name: `${room} imports ${['the base', ...others].join(', ')} only`,
      severity: /** @type {const} */ ('error'),
      from: { path: `${source}${room}/` },
      to: { path: source, pathNot: inRoomsOrBase([room, ...others]) },
    })),
    {
      name: 'Every file is an entry or in a room of the table',
      severity: 'error',
      from: { path: `${source}[^/]+/`, pathNot: inRoomsOrBase(Object.keys(rooms)) },
      to: {},
    },
    {
      // The chunk pool too: artifacts fill the chunks, and a store that has written one gives its memory back.
      name: 'Rooms know the interface of a store and the pool of chunks, never a backend',
      severity: 'error',
      from: { path: source, pathNot: `${source}(stores/|[^/]+$)` },
      to: { path: `${source}stores/`, pathNot: `${source}stores/(artifact-store|shared/chunk-pool)\\.ts$` },
    },
    {
      name: 'A backend knows the interface, what stores share and its own files only',
      severity: 'error',
      from: { path: `${source}stores/([^/]+)/` },
      to: { path: `${source}stores/`, pathNot: `${source}stores/($1/|shared/|artifact-store\\.ts$)` },
    },
    {
      name: 'Only the file-system store touches the disk',
      severity: 'error',
      from: { path: source, pathNot: `${source}stores/filesystem/` },
      to: { path: '^fs(/promises)?$' },
    },
    {
      name: 'http reaches neither the AI SDK nor zod: a route that serves artifacts needs none',
      severity: 'error',
      from: { path: `${source}http\\.ts$` },
      to: { path: '(^|/)(ai|zod)(/|$)', reachable: true },
    },
    {
      name: 'ui loads the protocol and the names of artifacts only; of other rooms it exports types',
      severity: 'error',
      from: { path: `${source}ui\\.ts$` },
      to: { pathNot: `${source}(protocol/|artifacts/artifact-name\\.ts$)`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'Nothing that index.ts, http.ts, ui.ts, store.ts or extras.ts reaches imports a Node module',
      severity: 'error',
      from: { path: `${source}(index|http|ui|store|extras)\\.ts$` },
      to: { path: nodeModule, reachable: true },
    },
  ],
  options: {
    exclude: { path: '\\.(test|test-d)\\.ts$' },
    doNotFollow: { path: 'node_modules' },
    // Also imports of types: a room that names a type of another room depends on it.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'packages/ai-truncate/tsconfig.json' },
  },
};
