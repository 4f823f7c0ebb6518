// Loaded into a server before anything else (`--import`, with `--expose-gc`), so that its memory contains no garbage when it is
// measured.
const INTERVAL_MS = 2_000;

setInterval(() => globalThis.gc?.(), INTERVAL_MS).unref();
