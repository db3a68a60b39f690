/** The worker: handles jobs, develops pictures, sends emails. */
import { createApp } from '#src/app.ts';
import { JOB_DEFINITIONS, workOnJobs } from '#src/jobs.ts';
import type { Config } from '#src/platform/config/config.ts';
import { openPictureLab } from '#src/platform/images/picture-lab.ts';
import { MAIL_JOB } from '#src/platform/mail/email-sender.ts';
import { createLog } from '#src/platform/log.ts';
import { createMetrics, type Metrics } from '#src/platform/metrics.ts';
import { openPlatform, type Platform } from '#src/platform/platform.ts';
import { listenAt } from '#src/platform/processes/listening.ts';
import { startHeartbeat } from '#src/platform/processes/sign-of-life.ts';
import { openChildLine } from '#src/platform/processes/child.ts';
import { stateOfStore } from '#src/platform/storage/storage.ts';
import { openTelemetry } from '#src/platform/telemetry/telemetry.ts';
import { watchPictures } from '#src/platform/telemetry/watchers.ts';

/** Pictures developed at the same time; more than the cores of a small machine gains nothing (speed P2). */
const PICTURES_AT_A_TIME = 2;

/** Works until the supervisor, or a signal, says stop. */
export async function runWorker(config: Config): Promise<void> {
  const line = await openChildLine(config);
  const { addresses, name } = line.start;
  const log = createLog({ level: config.logLevel, name });
  const metrics = createMetrics({ processName: name });
  const { read: readMetrics } = metrics;
  const telemetry = await openTelemetry({ settings: config.telemetry, processName: name, readMetrics, log });
  const platform = await openPlatform({
    config,
    log,
    addresses,
    processName: name,
    jobDefinitions: JOB_DEFINITIONS,
    works: true,
    metrics,
    begin: telemetry.begin,
  });
  metrics.expectJobs([...JOB_DEFINITIONS.map(({ name: job }) => job), MAIL_JOB]);
  line.metrics.setSource(metrics.text);
  const onSlowEncoder = () => log.warn('libjpeg-turbo cannot be loaded here: sharp encodes pictures, with more CPU');
  const lab = watchPictures(openPictureLab({ concurrency: PICTURES_AT_A_TIME, onSlowEncoder }), platform.observeCall);
  const life = startHeartbeat({ database: platform.database, role: 'worker', name });
  let isLeaving = false;
  /** Probes answer once it works. */
  async function begin() {
    await workOnJobs(platform, createApp(platform), lab, PICTURES_AT_A_TIME);
    return listenForProbes(platform, metrics, () => isLeaving);
  }
  const begun = begin();
  line.onStop(async () => {
    isLeaving = true;
    // Closed while it starts, it would fail like a start.
    const probes = await begun;
    await Promise.all([life.end(), platform.close()]);
    await lab.close();
    await probes?.close();
    await telemetry.close();
  });
  await begun;
  line.ready();
}

/** Only if configured: a worker under a supervisor has no port, and reports its metrics through the web processes. */
async function listenForProbes(platform: Platform, metrics: Metrics, isLeaving: () => boolean) {
  const { config, log, database } = platform;
  if (config.workerPort === null) return null;
  const { buildProbeServer } = await import('#src/http/probe-server.ts');
  const server = await buildProbeServer({
    log,
    metricsToken: config.metricsToken,
    trustProxy: config.trustProxy,
    database: () => database.check(),
    store: () => stateOfStore(platform),
    isLeaving,
    metrics: metrics.text,
  });
  await listenAt(server, { host: config.host, port: config.workerPort, setting: 'WORKER_PORT' });
  return server;
}
