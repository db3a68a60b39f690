import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { randomSecret, readOrMakeSecret } from '#src/platform/config/secret-file.ts';
import { idsOf, makeFolderFor } from '#src/platform/db/postgres-account.ts';
import type { PostgresAccount } from '#src/platform/db/postgres-account.ts';
import type { PostgresBinaries } from '#src/platform/db/postgres-binaries.ts';

/** Folders and files of the embedded database below `DATA_DIR`. */
export function embeddedPaths(dataDir: string): {
  clusterDir: string;
  passwordsFile: string;
  logFile: string;
  socketDir: string;
} {
  return {
    clusterDir: path.join(path.resolve(dataDir), 'postgres'),
    passwordsFile: path.join(path.resolve(dataDir), 'secrets', 'postgres.json'),
    logFile: path.join(path.resolve(dataDir), 'postgres.log'),
    socketDir: path.join(path.resolve(dataDir), 'run'),
  };
}

/** Made once, random, 0600. */
export type EmbeddedPasswords = { superuser: string; owner: string; app: string };

/** Reads the passwords of the embedded database, or makes them. */
export function embeddedPasswords(dataDir: string): EmbeddedPasswords {
  const { passwordsFile } = embeddedPaths(dataDir);
  const text = readOrMakeSecret(passwordsFile, () =>
    JSON.stringify({
      superuser: randomSecret(),
      owner: randomSecret(),
      app: randomSecret(),
    } satisfies EmbeddedPasswords),
  );
  return JSON.parse(text) as EmbeddedPasswords;
}

const MAJOR = '18';

/**
 * Makes the database cluster if there is none. It is made in a temporary folder and moved into place
 * when it is complete, so that a kill leaves nothing half-made.
 */
export async function ensureCluster(
  dataDir: string,
  binaries: PostgresBinaries,
  account: PostgresAccount,
  options: { unsafe?: boolean } = {},
): Promise<void> {
  const { clusterDir } = embeddedPaths(dataDir);
  const version = await readFile(path.join(clusterDir, 'PG_VERSION'), 'utf8').catch(() => null);
  if (version !== null) {
    if (version.trim() !== MAJOR)
      throw new Error(
        `${clusterDir} was made by PostgreSQL ${version.trim()} and this is ${MAJOR}: restore a backup into an empty DATA_DIR.`,
      );
    return;
  }
  const { superuser } = embeddedPasswords(dataDir);
  const draftDir = `${clusterDir}.${randomBytes(6).toString('hex')}`;
  const passwordFile = `${draftDir}.pw`;
  const ids = idsOf(account);
  try {
    await makeFolderFor(ids, draftDir);
    await writeFile(passwordFile, `${superuser}\n`, { mode: 0o600, flag: 'wx' });
    if (ids) await chown(passwordFile, ids.uid, ids.gid);
    await runInitdb(binaries, account, draftDir, [
      `--pwfile=${passwordFile}`,
      ...(options.unsafe ? ['--no-sync'] : []),
    ]);
    await rename(draftDir, clusterDir).catch((error: NodeJS.ErrnoException) => {
      // Another start was faster; its cluster has the same passwords.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(draftDir, { recursive: true, force: true });
    await rm(passwordFile, { force: true });
  }
}

async function runInitdb(
  binaries: PostgresBinaries,
  account: PostgresAccount,
  clusterDir: string,
  flags: readonly string[],
): Promise<void> {
  const [program, ...args] = [
    ...account.prefix,
    binaries.initdb,
    `--pgdata=${clusterDir}`,
    '--username=postgres',
    ...flags,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
  ];
  const child = spawn(program, args, {
    ...account.ids,
    env: postgresEnvironment(),
    cwd: path.dirname(clusterDir),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (complaint = (complaint + chunk).slice(-2000)));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  if (code !== 0)
    throw new Error(`The embedded database could not be made: ${complaint.trim() || `initdb ended with ${code}`}`);
}

/** Nothing of our own environment (it holds secrets), and English messages in UTC. */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
}
