/** A web process: every module's routes and the pages, on one port. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '#src/app.ts';
import { buildProduct } from '#src/server.ts';
import { JOB_DEFINITIONS } from '#src/jobs.ts';
import type { Config } from '#src/platform/config/config.ts';
import { createLog } from '#src/platform/log.ts';
import { createMetrics } from '#src/platform/metrics.ts';
import { openPlatform } from '#src/platform/platform.ts';
import { ROOT } from '#src/platform/program-files.ts';
import { watchLag } from '#src/platform/processes/lag.ts';
import { listenAt } from '#src/platform/processes/listening.ts';
import { startHeartbeat } from '#src/platform/processes/sign-of-life.ts';
import { openChildLine } from '#src/platform/processes/child.ts';
import { watchReplica, watchState } from '#src/platform/telemetry/state-metrics.ts';
import { openTelemetry } from '#src/platform/telemetry/telemetry.ts';

/** Serves until the supervisor, or a signal, says stop. */
export async function runWeb(config: Config): Promise<void> {
  const line = await openChildLine(config);
  const { addresses, name } = line.start;
  const log = createLog({ level: config.logLevel, name });
  const lag = watchLag({ log });
  const metrics = createMetrics({ processName: name, onTurn: lag.onTurn });
  const { read: readMetrics } = metrics;
  const telemetry = await openTelemetry({ settings: config.telemetry, processName: name, readMetrics, log });
  const platform = await openPlatform({
    config,
    log,
    addresses,
    processName: name,
    jobDefinitions: JOB_DEFINITIONS,
    works: false,
    metrics,
    begin: telemetry.begin,
  });
  line.metrics.setSource(metrics.text);
  const pages = { mode: config.mode === 'dev' ? 'vite' : 'built', root: ROOT } as const;
  const life = startHeartbeat({ database: platform.database, role: 'web', name });
  const app = createApp(platform);
  // One process per machine queries what is the same for all.
  if (name === 'web' || name === 'web 1') watchState(metrics, platform, app.reconciliation.countOpen);
  watchReplica(metrics, platform.database);
  let isLeaving = false;
  const { server } = await buildProduct({
    app,
    platform,
    metrics,
    metricsOfOthers: line.metrics.ofOthers,
    pages,
    isLeaving: () => isLeaving,
    isLagging: lag.isLagging,
  });
  line.onStop(async () => {
    // Balancers notice it at their next probe and send no more requests; those that arrive meanwhile are served.
    isLeaving = true;
    await sleep(config.drainMs);
    await server.close();
    await Promise.all([life.end(), platform.close()]);
    await telemetry.close();
  });
  await listenAt(server, config);
  const address = server.server.address();
  line.ready(typeof address === 'object' && address !== null ? address.port : config.port);
}
