/** PostgreSQL's own programs, for an operator's database: `pg_dump` and `pg_restore` of its version or newer. */
import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { StartError } from '#src/platform/processes/start-error.ts';

/** One consistent snapshot of the database, while it is in use; no other user of the machine can read it. */
export async function dumpDatabase(url: string, file: string): Promise<void> {
  await writeFile(file, '', { mode: 0o600 });
  await run('pg_dump', ['--format=custom', '--no-owner', '--no-privileges', `--file=${file}`], url);
}

/** Into an empty database, all or nothing. */
export async function restoreDump(url: string, file: string): Promise<void> {
  await run('pg_restore', ['--single-transaction', '--no-owner', '--no-privileges', file], url);
}

/** The password is passed in the environment: other programs of the machine can read arguments. */
async function run(program: string, args: readonly string[], url: string): Promise<void> {
  const address = new URL(url);
  const password = decodeURIComponent(address.password);
  address.password = '';
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    LC_ALL: 'C',
    ...(password && { PGPASSWORD: password }),
  };
  const child = spawn(program, [...args, `--dbname=${address.href}`], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (output = (output + chunk).slice(-2000)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        error.code === 'ENOENT'
          ? new StartError(
              `${program} is not installed; install PostgreSQL's client programs of the server's version (Debian: postgresql-client).`,
            )
          : error,
      ),
    );
    child.once('close', resolve);
  });
  if (code !== 0) throw new StartError(`${program} failed: ${output.trim() || `exit code ${code}`}`);
}
