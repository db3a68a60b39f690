/** The worker: does the jobs, develops the pictures, sends the emails. */
import { createApp } from '#src/app.ts';
import { JOB_DEFINITIONS, workOnJobs } from '#src/jobs.ts';
import type { Config } from '#src/platform/config/config.ts';
import { openPictureLab } from '#src/platform/images/picture-lab.ts';
import { createLog } from '#src/platform/log.ts';
import { openPlatform } from '#src/platform/platform.ts';
import { openChildLine } from '#src/platform/processes/child.ts';

/** Pictures developed at a time; more than the cores of a small machine gains nothing (speed P2). */
const PICTURES_AT_A_TIME = 2;

/** Works until the supervisor, or a signal, says stop. */
export async function runWorker(config: Config): Promise<void> {
  const line = await openChildLine(config);
  const { addresses, name } = line.start;
  const log = createLog({ level: config.logLevel, name });
  const platform = await openPlatform({
    config,
    log,
    addresses,
    processName: name,
    jobDefinitions: JOB_DEFINITIONS,
    works: true,
  });
  const lab = openPictureLab({ concurrency: PICTURES_AT_A_TIME });
  line.onStop(async () => {
    await platform.close();
    await lab.close();
  });
  await workOnJobs(platform, createApp(platform), lab, PICTURES_AT_A_TIME);
  line.ready();
}
