/** Processes the rows of an import as the worker does, in a process that may be killed in the middle. */
import '#src/platform/load-tsx.ts';
import { JOB_DEFINITIONS } from '#src/jobs.ts';
import { readConfig } from '#src/platform/config/config.ts';
import { createLog } from '#src/platform/log.ts';
import { openPlatform } from '#src/platform/platform.ts';

const { createApp } = await import('#src/app.ts');

const [appUrl = '', importId = '', kind = 'bulk'] = process.argv.slice(2);
const platform = await openPlatform({
  config: readConfig(process.env),
  addresses: { ownerUrl: appUrl, appUrl, appRole: null },
  log: createLog({ level: 'silent', name: 'crash' }),
  processName: 'crash',
  jobDefinitions: JOB_DEFINITIONS,
  works: false,
});
// There are no visitors here: rows follow each other without a pause.
const noRest = 0;
const app = createApp(platform);
const imports = kind === 'roster' ? app.rosterImports : app.bulkImports;
await imports.work(Number(importId), new AbortController().signal, noRest);
await platform.close();
