/** A web process: every module's routes and the pages, at one port. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '#src/app.ts';
import { buildProduct } from '#src/server.ts';
import { JOB_DEFINITIONS } from '#src/jobs.ts';
import type { Config } from '#src/platform/config/config.ts';
import { createLog } from '#src/platform/log.ts';
import { createMetrics, type Metrics } from '#src/platform/metrics.ts';
import { openPlatform } from '#src/platform/platform.ts';
import type { DiskStorage } from '#src/platform/storage/disk-storage.ts';
import { openChildLine } from '#src/platform/processes/child.ts';

const ROOT = join(import.meta.dirname, '..');

/** Serves until the supervisor, or a signal, says stop. */
export async function runWeb(config: Config): Promise<void> {
  const line = await openChildLine(config);
  const { addresses, name } = line.start;
  const log = createLog({ level: config.logLevel, name });
  const platform = await openPlatform({
    config,
    log,
    addresses,
    processName: name,
    jobDefinitions: JOB_DEFINITIONS,
    works: false,
  });
  const metrics = createMetrics({ processName: name, database: platform.database });
  const pages = { mode: config.mode === 'dev' ? 'vite' : 'built', root: ROOT } as const;
  const app = createApp(platform);
  metrics.watchNumber(
    'sideline_reconciliation_open_differences',
    'Differences between our books and the card provider’s without an explanation.',
    app.reconciliation.countOpen,
  );
  if (platform.disk) watchDisk(metrics, platform.disk);
  let isLeaving = false;
  const { server } = await buildProduct({ app, platform, metrics, pages, isLeaving: () => isLeaving });
  line.onStop(async () => {
    // Balancers see it at their next probe and send no one any more; those who come meanwhile are served.
    isLeaving = true;
    await sleep(config.drainMs);
    await server.close();
    await platform.close();
  });
  await server.listen({ host: config.host, port: config.port });
  const address = server.server.address();
  line.ready(typeof address === 'object' && address !== null ? address.port : config.port);
}

function watchDisk(metrics: Metrics, { space }: DiskStorage): void {
  metrics.watchNumber(
    'sideline_disk_free_bytes',
    'Bytes that are free on the disk of the photos.',
    async () => (await space.read()).freeBytes,
  );
  metrics.watchNumber(
    'sideline_disk_floor_bytes',
    'Bytes below which no uploads are taken.',
    async () => (await space.read()).floorBytes,
  );
}
