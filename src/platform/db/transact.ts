import { Transaction, type DatabaseConnection, type Kysely } from 'kysely';
import { databaseUnavailable } from '#src/platform/db/connection-faults.ts';
import type { postgresDialect, Session, SessionDriver } from '#src/platform/db/kysely-driver.ts';
import type { Schema } from '#src/platform/db/schema.ts';

/** A pool of sessions in the forms that transactions need. */
export type Connections = {
  kysely: Kysely<Schema>;
  dialect: ReturnType<typeof postgresDialect>;
  driver: SessionDriver;
};

/**
 * Runs work in a transaction. `opening` begins it and is sent with the first statements, statements that start together
 * are sent together, and the commit follows separately.
 * @param gaveUp aborted when the caller got the error that the database is silent: nothing may be written afterwards
 */
export async function transact<T>(
  { kysely, dialect, driver }: Connections,
  opening: readonly string[],
  work: (tx: Transaction<Schema>) => Promise<T>,
  gaveUp: AbortSignal | null = null,
): Promise<T> {
  const executor = kysely.getExecutor();
  return executor.provideConnection(async (connection: DatabaseConnection) => {
    const bounded = untilItEnds(connection);
    const bound = executor.withConnectionProvider({ provideConnection: (consumer) => consumer(bounded.connection) });
    gaveUp?.addEventListener('abort', () => bounded.end(), { once: true });
    const tx = new Transaction<Schema>({ config: { dialect }, dialect, driver, executor: bound });
    const opened = (connection as Session).open(opening);
    opened.catch(() => undefined);
    try {
      const result = await work(tx);
      await opened;
      // After a silence the work's next statement fails, or it ends here: nothing is committed.
      if (gaveUp?.aborted) throw new Error('The transaction has ended.');
      bounded.end();
      await driver.commitTransaction(connection);
      return result;
    } catch (error) {
      // The first error is reported; a session that cannot even roll back is closed.
      bounded.end();
      await driver.rollbackTransaction(connection).catch(() => undefined);
      await opened;
      if (!isOfStandby(error) || opening[0]?.includes('read only')) throw error;
      driver.leave(connection);
      throw databaseUnavailable(error);
    }
  });
}

/** read_only_sql_transaction: the balancer takes a standby for the primary, or has just made it one. */
const isOfStandby = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === '25006';

/** A session for the length of a transaction: work that continues after its end would otherwise write outside of it. */
function untilItEnds(session: DatabaseConnection): { connection: DatabaseConnection; end(): void } {
  let hasEnded = false;
  return {
    connection: {
      executeQuery: async (query) => {
        if (hasEnded) throw new Error('The transaction has ended.');
        return session.executeQuery<never>(query);
      },
      streamQuery: (query, chunkSize) => session.streamQuery(query, chunkSize),
    },
    end: () => void (hasEnded = true),
  };
}
