import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureEmbeddedRoles } from '#src/platform/db/roles.ts';
import { type DatabaseAddresses } from '#src/platform/db/client.ts';
import { embeddedPasswords } from '#src/platform/db/embedded-cluster.ts';
import { embeddedUrl, startEmbeddedPostgres } from '#src/platform/db/embedded-postgres.ts';

/** A server for tests, measurements and generators: fast, in a temporary folder, deleted afterwards. */
export type ThrowawayPostgres = DatabaseAddresses & { superUrl: string; dataDir: string; stop(): Promise<void> };

export async function startThrowawayPostgres(options: { maxConnections?: number } = {}): Promise<ThrowawayPostgres> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'sideline-db-'));
  try {
    const server = await startEmbeddedPostgres({ dataDir, unsafe: true, ...options });
    const passwords = embeddedPasswords(dataDir);
    return {
      ...(await ensureEmbeddedRoles(server.port, passwords)),
      superUrl: embeddedUrl(server.port, 'postgres', passwords.superuser, 'postgres'),
      dataDir,
      async stop() {
        await server.stop();
        await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
      },
    };
  } catch (error) {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
    throw error;
  }
}
