import { builtinModules } from 'node:module';

// The rooms of the library and the one way imports may go between them:
//
//   protocol ← truncation ← artifacts ← delivery, readers ← agents ← entrances
//
// Entrances are the files directly in src/, and the folders config/ and http/. Four files there belong to everyone or to
// some: errors.ts and runtime.ts are bottom rooms, turn-queue.ts lets works take turns, pace.ts imports truncation and drives long work. Tests may look anywhere,
// so they are left out.
const source = '^packages/ai-truncate/src/';
const sharedFiles = 'errors|runtime|turn-queue|pace';
const bottomFiles = '(errors|runtime)\\.ts$';
// Modules of Node are told by their bare name, also when they are imported with `node:` in front.
const nodeModule = `^(${builtinModules.join('|')})$`;
const entrances = `${source}((?!(${sharedFiles})\\.ts$)[^/]+\\.ts$|(config|http)/)`;

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
      name: 'errors.ts and runtime.ts import no room',
      severity: 'error',
      from: { path: `${source}${bottomFiles}` },
      to: { path: source },
    },
    {
      name: 'pace.ts imports truncation and turn-queue.ts only',
      severity: 'error',
      from: { path: `${source}pace\\.ts$` },
      to: { path: source, pathNot: `${source}(truncation/|turn-queue\\.ts$|${bottomFiles})` },
    },
    {
      name: 'pace.ts is used by artifacts, delivery, readers and agents only',
      severity: 'error',
      from: { path: source, pathNot: `${source}(artifacts|delivery|readers|agents)/` },
      to: { path: `${source}pace\\.ts$` },
    },
    {
      name: 'protocol imports no other room',
      severity: 'error',
      from: { path: `${source}protocol/` },
      to: { path: source, pathNot: `${source}(protocol/|${bottomFiles})` },
    },
    {
      name: 'truncation imports protocol only',
      severity: 'error',
      from: { path: `${source}truncation/` },
      to: { path: source, pathNot: `${source}(truncation/|protocol/|${bottomFiles})` },
    },
    {
      name: 'A store knows artifact-store.ts, what stores share (store-*.ts) and the files of its own backend only',
      severity: 'error',
      from: { path: `${source}stores/(artifact-store|store|memory|filesystem|vercel-blob|files-sdk)` },
      to: { path: source, pathNot: `${source}(stores/(artifact-store\\.ts$|store-|$1-)|${bottomFiles})` },
    },
    {
      name: 'Rooms know the interface of a store, never a backend',
      severity: 'error',
      from: { path: source, pathNot: [entrances, `${source}stores/`] },
      to: { path: `${source}stores/`, pathNot: `${source}stores/artifact-store\\.ts$` },
    },
    {
      name: 'artifacts import truncation and protocol only',
      severity: 'error',
      from: { path: `${source}artifacts/` },
      to: { path: `${source}(delivery|readers|agents)/` },
    },
    {
      name: 'delivery does not import readers and agents',
      severity: 'error',
      from: { path: `${source}delivery/` },
      to: { path: `${source}(readers|agents)/` },
    },
    {
      name: 'readers do not import delivery and agents',
      severity: 'error',
      from: { path: `${source}readers/` },
      to: { path: `${source}(delivery|agents)/` },
    },
    {
      name: 'No room imports an entrance',
      severity: 'error',
      from: { path: source, pathNot: entrances },
      to: { path: entrances },
    },
    {
      name: 'Only the file-system store touches the disk',
      severity: 'error',
      from: { path: source, pathNot: `${source}stores/filesystem-` },
      to: { path: '^fs(/promises)?$' },
    },
    {
      name: 'http imports artifacts and readers, and knows neither what wraps tools nor a backend',
      severity: 'error',
      from: { path: `${source}http(/|\\.ts$)` },
      to: {
        path: source,
        pathNot: `${source}((http|artifacts|readers|protocol|truncation)/|stores/artifact-store\\.ts$|${bottomFiles})`,
      },
    },
    {
      name: 'http reaches neither the AI SDK nor zod: a route that serves artifacts needs none',
      severity: 'error',
      from: { path: `${source}http\\.ts$` },
      to: { path: '(^|/)(ai|zod)(/|$)', reachable: true },
    },
    {
      name: 'Nothing that index.ts or http.ts reaches imports a Node module',
      severity: 'error',
      from: { path: `${source}(index|http)\\.ts$` },
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
