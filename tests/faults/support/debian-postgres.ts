/** A PostgreSQL that is not ours, from Debian's packages: what an operator's `DATABASE_URL` names. */
import { execFile } from 'node:child_process';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { withClient } from '#src/platform/db/client.ts';
import { freePort } from '#tests/load/product.ts';

const run = promisify(execFile);
const PROGRAMS = '/usr/lib/postgresql';

function newestBin(): string | null {
  if (!existsSync(PROGRAMS)) return null;
  const versions = readdirSync(PROGRAMS).toSorted((one, other) => Number(other) - Number(one));
  const bins = versions.map((version) => path.join(PROGRAMS, version, 'bin'));
  return bins.find((bin) => ['initdb', 'pg_ctl', 'pg_dump'].every((name) => existsSync(path.join(bin, name)))) ?? null;
}

/** Why it cannot run here; null if it can. */
export function whyNoDebianPostgres(): string | null {
  if (newestBin() === null || !existsSync('/usr/bin/pg_dump')) return 'not installed (Debian: postgresql)';
  if (process.getuid?.() === 0 && !existsSync('/usr/bin/setpriv')) return 'root without setpriv';
  return null;
}

export async function startDebianPostgres() {
  const bin = newestBin() ?? '';
  const folder = await mkdtemp(path.join(tmpdir(), 'sideline-pg-'));
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    const { stdout } = await run('id', ['-u', 'postgres']);
    await chown(folder, Number(stdout), Number((await run('id', ['-g', 'postgres'])).stdout));
  }
  const as = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups'] : [];
  const call = async (program: string, args: readonly string[]) => {
    const [command = '', ...rest] = [...as, path.join(bin, program), ...args];
    await run(command, rest, { cwd: folder, env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' } });
  };
  const data = path.join(folder, 'data');
  const port = await freePort();
  await call('initdb', ['-D', data, '-U', 'operator', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync']);
  const settings = `-c listen_addresses=127.0.0.1 -c port=${port} -c unix_socket_directories= -c fsync=off`;
  await call('pg_ctl', ['-D', data, '-w', '-l', path.join(folder, 'log'), '-o', settings, 'start']);
  const urlOf = (name: string) => `postgres://operator@127.0.0.1:${port}/${name}`;
  return {
    /** Returns its address. */
    async createDatabase(name: string): Promise<string> {
      await withClient(urlOf('postgres'), (client) => client.query(`create database ${name}`));
      return urlOf(name);
    },
    async stop() {
      await call('pg_ctl', ['-D', data, '-m', 'immediate', 'stop']);
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
