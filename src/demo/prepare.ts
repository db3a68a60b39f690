/**
 * After the migrations and before the first request: the job queue's tables, and the demo if it is wanted. The demo
 * runs in its own process, so that the supervisor stays small.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Logger } from 'pino';
import type { Config } from '#src/platform/config/config.ts';
import { withClient, type DatabaseAddresses } from '#src/platform/db/client.ts';
import { installJobSchema } from '#src/platform/jobs/job-schema.ts';
import { programFile } from '#src/platform/program-files.ts';
import { StartError } from '#src/platform/processes/start-error.ts';

type Preparation = {
  config: Config;
  log: Logger;
  addresses: DatabaseAddresses;
  /** Ends the demo's process, which the next start continues. */
  stop: AbortSignal;
};

export async function prepareDatabase({ config, log, addresses, stop }: Preparation): Promise<void> {
  await installJobSchema(addresses.ownerUrl);
  if (!config.demo || (await isSettled(addresses.ownerUrl)) || stop.aborted) return;
  log.info('filling the demo; this takes a few seconds, once');
  const child = fork(programFile('run-demo'), [], { env: { ...process.env, ROLE: 'worker', CRASH_AT: '' } });
  child.send(addresses);
  stop.addEventListener('abort', () => child.kill('SIGKILL'));
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0 && !stop.aborted)
    throw new StartError(
      'The demo could not be filled; the log above says why. Start with DEMO=off to run without it.',
    );
}

/** True if the demo is complete, or if someone has already used the database. */
async function isSettled(ownerUrl: string): Promise<boolean> {
  const { rows } = await withClient(ownerUrl, (client) =>
    client.query<{ settled: boolean }>(
      `select exists (select from house_marks where name = 'demo complete')
           or not exists (select from house_marks where name = 'demo begun')
              and (exists (select from users) or exists (select from organizations where id <> 1)) as settled`,
    ),
  );
  return rows[0]?.settled ?? false;
}
