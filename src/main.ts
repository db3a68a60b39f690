/**
 * The program, told apart by `ROLE`: the supervisor that `npm start` leaves running, a web process,
 * or the worker. Each loads only its own part, so that the supervisor stays small.
 */
import '#src/platform/load-tsx.ts';
import { readConfig, type Config } from '#src/platform/config/config.ts';
import { createLog } from '#src/platform/log.ts';
import { describeFailedStart } from '#src/platform/processes/messages.ts';

async function supervise(config: Config): Promise<number> {
  const { prepareDatabase } = await import('#src/demo/prepare.ts');
  const { runSupervisor } = await import('#src/platform/processes/supervisor.ts');
  const log = createLog({ level: config.logLevel, name: 'supervisor' });
  return runSupervisor({
    config,
    log,
    program: import.meta.filename,
    prepare: (addresses) => prepareDatabase({ config, log, addresses }),
  });
}

async function main(): Promise<void> {
  const config = readConfig(process.env);
  if (config.role === 'web') await (await import('#src/web-process.ts')).runWeb(config);
  else if (config.role === 'worker') await (await import('#src/worker-process.ts')).runWorker(config);
  else process.exit(await supervise(config));
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${describeFailedStart(error)}\n`);
  process.exit(1);
}
