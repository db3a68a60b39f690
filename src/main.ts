/**
 * The composition root. One program, told apart by `ROLE`: the supervisor that `npm start` leaves
 * running, a web process, or the worker.
 */
import { join } from 'node:path';
import { createApp } from '#src/app.ts';
import { prepareDatabase } from '#src/demo/prepare.ts';
import { buildHouse } from '#src/house.ts';
import { JOB_DEFINITIONS, workOnJobs } from '#src/jobs.ts';
import { ConfigError, readConfig, type Config } from '#src/platform/config/config.ts';
import { openPictureLab } from '#src/platform/images/picture-lab.ts';
import { createLog } from '#src/platform/log.ts';
import { createMetrics } from '#src/platform/metrics.ts';
import { openPlatform } from '#src/platform/platform.ts';
import { openChildLine } from '#src/platform/processes/child.ts';
import { StartError } from '#src/platform/processes/start-error.ts';
import { runSupervisor } from '#src/platform/processes/supervisor.ts';

const ROOT = join(import.meta.dirname, '..');
/** Pictures developed at a time; more than the cores of a small machine gains nothing (speed P2). */
const PICTURES_AT_A_TIME = 2;

async function runWeb(config: Config): Promise<void> {
  const line = await openChildLine(config);
  const log = createLog({ level: config.logLevel, name: line.start.name });
  const platform = await openPlatform({ config, log, addresses: line.start.addresses, processName: line.start.name, jobDefinitions: JOB_DEFINITIONS, works: false });
  const app = createApp(platform);
  const metrics = createMetrics({ processName: line.start.name, database: platform.database });
  const { server } = await buildHouse({ app, platform, metrics, pages: { mode: config.mode === 'dev' ? 'vite' : 'built', root: ROOT } });
  line.onStop(async () => {
    await server.close();
    await platform.close();
  });
  await server.listen({ host: config.host, port: config.port });
  const address = server.server.address();
  line.ready(typeof address === 'object' && address !== null ? address.port : config.port);
}

async function runWorker(config: Config): Promise<void> {
  const line = await openChildLine(config);
  const log = createLog({ level: config.logLevel, name: line.start.name });
  const platform = await openPlatform({ config, log, addresses: line.start.addresses, processName: line.start.name, jobDefinitions: JOB_DEFINITIONS, works: true });
  const lab = openPictureLab({ concurrency: PICTURES_AT_A_TIME });
  line.onStop(async () => {
    await platform.close();
    await lab.close();
  });
  await workOnJobs(platform, createApp(platform), lab, PICTURES_AT_A_TIME);
  line.ready();
}

async function supervise(config: Config): Promise<number> {
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
  if (config.role === 'web') return runWeb(config);
  if (config.role === 'worker') return runWorker(config);
  process.exit(await supervise(config));
}

try {
  await main();
} catch (error) {
  const isPlain = error instanceof ConfigError || error instanceof StartError;
  process.stderr.write(`${isPlain ? error.message : error instanceof Error ? error.stack : String(error)}\n`);
  process.exit(1);
}
