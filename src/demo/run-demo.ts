/** The process that fills the demo: a whole product in one, without a port, with a clock that can be set back. */
import { once } from 'node:events';
import '#src/platform/load-tsx.ts';
import { readConfig } from '#src/platform/config/config.ts';
import type { DatabaseAddresses } from '#src/platform/db/client.ts';
import { openPictureLab } from '#src/platform/images/picture-lab.ts';
import { createLog } from '#src/platform/log.ts';
import { openPlatform } from '#src/platform/platform.ts';

const { createApp } = await import('#src/app.ts');
const { fillDemo } = await import('#src/demo/fill-demo.ts');
const { JOB_DEFINITIONS, workOnJobs } = await import('#src/jobs.ts');
const { buildProduct } = await import('#src/server.ts');

/** The demo buys more in a second than a visitor may. */
const NO_LIMITS = 1_000_000;
const PICTURES_AT_A_TIME = 2;
/** A busy machine may take seconds for its first sessions; the demo waits rather than fail the product's first start. */
const SLOT_WAIT_MS = 30_000;

process.on('disconnect', () => process.exit(1));
// Terminals signal whole process groups; here the supervisor decides, by disconnecting.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
const [addresses] = (await once(process, 'message')) as [DatabaseAddresses];
// Its buyers pay with sandbox cards, whichever provider the product itself uses.
const config = { ...readConfig(process.env), rateLimitFactor: NO_LIMITS, stripe: null };
const log = createLog({ level: config.logLevel === 'info' ? 'warn' : config.logLevel, name: 'demo' });
let setBack: Date | null = null;
const clock = { now: () => setBack ?? new Date() };
const platform = await openPlatform({
  config,
  log,
  addresses,
  processName: 'demo',
  jobDefinitions: JOB_DEFINITIONS,
  works: true,
  slotWaitMs: SLOT_WAIT_MS,
  clock,
});
const app = createApp(platform);
const lab = openPictureLab({ concurrency: PICTURES_AT_A_TIME });
try {
  await workOnJobs(platform, app, lab, PICTURES_AT_A_TIME);
  const built = await buildProduct({ app, platform, metrics: null });
  const setClock = (now: Date) => {
    setBack = now.getTime() > Date.now() - 1_000 ? null : now;
  };
  await fillDemo({ app, platform, built, setClock });
  await built.server.close();
} finally {
  await platform.close();
  await lab.close();
}
process.exit(0);
