import pg from 'pg';

/** One session for administrative work, closed afterwards. `as` names it in `pg_stat_activity`. */
export async function withClient<T>(
  url: string,
  work: (client: pg.Client) => Promise<T>,
  as = 'sideline admin',
): Promise<T> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5000, application_name: as });
  // A lost session also rejects the statement that runs on it.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}
