// In this folder, so that its name resolves to the peers' own dependencies.

/**
 * @returns {Promise<{ version: string, query(sql: string): Promise<Record<string, unknown>[]> } | undefined>} `undefined` if it
 * is not installed
 */
export async function loadDuckDb() {
  let api;
  try {
    api = await import('@duckdb/node-api');
  } catch (error) {
    console.log(`DuckDB is skipped: ${String(error).split('\n')[0]}`);
    return undefined;
  }
  const { DuckDBInstance, version } = api;
  return {
    version: version(),
    async query(sql) {
      // A new instance each time, because an instance caches parts of files.
      const instance = await DuckDBInstance.create(':memory:');
      const connection = await instance.connect();
      try {
        const reader = await connection.runAndReadAll(sql);
        return reader.getRowObjects();
      } finally {
        connection.closeSync();
        instance.closeSync();
      }
    },
  };
}
