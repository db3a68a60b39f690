/** One step of processing a photo, in a process that may be killed during it: `claim` as a web process, the others as the worker. */
import '#src/platform/load-tsx.ts';
import { JOB_DEFINITIONS } from '#src/jobs.ts';
import { readConfig } from '#src/platform/config/config.ts';
import { openPictureLab } from '#src/platform/images/picture-lab.ts';
import { createLog } from '#src/platform/log.ts';
import { openPlatform } from '#src/platform/platform.ts';

const { createApp } = await import('#src/app.ts');

export type IngestProgramTask =
  | { step: 'claim'; token: string; galleryId: number; key: string }
  | { step: 'ingest'; photoId: number }
  | { step: 'turn'; photoId: number }
  | { step: 'remark'; organizationId: number }
  | { step: 'clear' };

const [appUrl = '', task = ''] = process.argv.slice(2);
const todo = JSON.parse(task) as IngestProgramTask;
const config = readConfig(process.env);
const log = createLog({ level: 'silent', name: 'crash' });
const platform = await openPlatform({
  config,
  addresses: { ownerUrl: appUrl, appUrl, appRole: null },
  log,
  processName: 'crash',
  jobDefinitions: JOB_DEFINITIONS,
  works: false,
});
const { pictures, uploads, accounts } = createApp(platform);
if (todo.step === 'claim') {
  const actor = await accounts.actorOf(todo.token);
  await uploads.claim({ actor, visitorId: null, unlocks: new Map(), ip: '127.0.0.1' }, todo.galleryId, {
    key: todo.key,
  });
} else if (todo.step === 'clear') {
  await pictures.clearObjects();
} else {
  const lab = openPictureLab({ concurrency: 1 });
  if (todo.step === 'ingest') await uploads.ingest(todo.photoId, lab);
  else if (todo.step === 'turn') await pictures.turn(todo.photoId, lab);
  else await pictures.remarkPhotos(todo.organizationId, lab);
  await lab.close();
}
await platform.close();
