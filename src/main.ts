/**
 * The program, selected by `ROLE`: the supervisor that `npm start` leaves running, a web process, the worker, or the
 * command that migrates the database. Each loads only its own part, so that the supervisor stays small.
 */
import '#src/platform/load-tsx.ts';
import { readConfig, type Config } from '#src/platform/config/config.ts';
import { createLog } from '#src/platform/log.ts';
import { describeFailedStart } from '#src/platform/processes/messages.ts';
import { programFile } from '#src/platform/program-files.ts';
import { collectWhenQuiet } from '#src/platform/processes/quiet-memory.ts';

async function supervise(config: Config): Promise<number> {
  const { prepareDatabase } = await import('#src/demo/prepare.ts');
  const { runSupervisor } = await import('#src/platform/processes/supervisor.ts');
  const log = createLog({ level: config.logLevel, name: 'supervisor' });
  return runSupervisor({
    config,
    log,
    program: programFile('main'),
    prepare: (addresses, stop) => prepareDatabase({ config, log, addresses, stop }),
  });
}

async function migrateOnly(config: Config): Promise<void> {
  const { runMigrations } = await import('#src/platform/processes/upgrade.ts');
  await runMigrations({ config, log: createLog({ level: config.logLevel, name: 'migrate' }) });
}

async function main(): Promise<void> {
  const config = readConfig(process.env);
  collectWhenQuiet();
  if (config.role === 'web') await (await import('#src/web-process.ts')).runWeb(config);
  else if (config.role === 'worker') await (await import('#src/worker-process.ts')).runWorker(config);
  else if (config.role === 'migrate') await migrateOnly(config);
  else process.exit(await supervise(config));
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${describeFailedStart(error)}\n`);
  process.exit(1);
}
