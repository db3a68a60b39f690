import { chmod, chown, mkdir, readFile, stat } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * The account that PostgreSQL runs under. It refuses root, so a root process lends it an
 * unprivileged account of the machine; any other user runs it under the same account.
 */
export type PostgresAccount = {
  /** Absent: run as the current user. */
  ids: { uid: number; gid: number } | null;
  /** How to start a program under that account: put before its name. */
  prefix: readonly string[];
};

const BORROWED = ['postgres', 'nobody', 'daemon'];
const SETPRIV = ['/usr/bin/setpriv', '/bin/setpriv'];

/**
 * Decides the account for a data folder and the programs' folder. An existing data folder
 * keeps the account that owns it. Where a parent folder is closed to that account (a clone below
 * /root, a 0700 temporary folder), the program keeps one capability, reading
 * through closed folders, by `setpriv`, which every Debian and Fedora has.
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
    throw new Error(
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
      // Without this bit access(2), by which PostgreSQL looks for its own programs, forgets the capability.
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
  throw new Error(
    'PostgreSQL does not run as root, and this machine has no account "postgres" or "nobody" to lend it: start as another user.',
  );
}

/** The topmost folder on the way that the account may not enter; null when the way is open. */
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

/** Containers often lack the milder capability; the stronger one is theirs by default. */
async function travellingCapability(): Promise<'dac_read_search' | 'dac_override'> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  const permitted = BigInt(`0x${/^CapPrm:\s*([0-9a-f]+)$/m.exec(status)?.[1] ?? '0'}`);
  return (permitted & (1n << 2n)) !== 0n ? 'dac_read_search' : 'dac_override';
}
