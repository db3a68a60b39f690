import pg from 'pg';

/** The names of our database and its two roles; the embedded server and operators' servers use the same. */
export const DATABASE_NAME = 'sideline';
/** Owns every table and runs migrations; never serves requests. */
export const OWNER_ROLE = 'sideline_owner';
/** Serves requests: no superuser, no DDL, bound by row-level security. */
export const APP_ROLE = 'sideline_app';

/** How processes reach the database. Contains passwords: passed to child processes only. */
export type DatabaseAddresses = {
  /** For migrations. */
  ownerUrl: string;
  /** For everything else. */
  appUrl: string;
  /** The role to assume after connecting, if `appUrl` logs in as a role with more rights; null if it is the app role already. */
  appRole: string | null;
};

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
