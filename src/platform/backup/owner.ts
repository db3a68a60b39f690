import { existsSync } from 'node:fs';
import { embeddedPasswords, embeddedPaths } from '#src/platform/db/embedded-cluster.ts';
import { OWNER_ROLE } from '#src/platform/db/client.ts';
import { embeddedUrl, startEmbeddedPostgres } from '#src/platform/db/embedded-postgres.ts';
import { StartError } from '#src/platform/processes/start-error.ts';

type Owner = {
  /** Owns every table. */
  ownerUrl: string;
  stop(): Promise<void>;
};

/**
 * Opens the database as its owner, of a running product or a stopped one: an embedded database that is not running is
 * started, and stopped at the end. @throws StartError if there is none
 */
export async function openOwner({ dataDir, databaseUrl }: { dataDir: string; databaseUrl: string | null }) {
  if (databaseUrl !== null) return { ownerUrl: databaseUrl, stop: async () => undefined } satisfies Owner;
  if (!existsSync(embeddedPaths(dataDir).clusterDir))
    throw new StartError(`${dataDir} holds no database; set DATA_DIR to the folder of the product.`);
  const server = await startEmbeddedPostgres({ dataDir });
  return {
    ownerUrl: embeddedUrl(server.port, OWNER_ROLE, embeddedPasswords(dataDir).owner),
    stop: async () => (server.adopted ? undefined : server.stop()),
  } satisfies Owner;
}
