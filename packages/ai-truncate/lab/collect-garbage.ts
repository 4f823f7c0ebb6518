// Loaded into a server before anything else (`--import`, with `--expose-gc`): what it holds shows once its garbage is gone.
const INTERVAL_MS = 2_000;

setInterval(() => globalThis.gc?.(), INTERVAL_MS).unref();
