/**
 * `npm run import -- FOLDER --by EMAIL`: imports an organization's copy from another installation, while the product
 * runs.
 */
import '#src/platform/load-tsx.ts';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from '#src/platform/config/config.ts';
import { createLog } from '#src/platform/log.ts';
import { openPlatform } from '#src/platform/platform.ts';
import { describeFailedStart } from '#src/platform/processes/messages.ts';
import { StartError } from '#src/platform/processes/start-error.ts';
import { isProblem } from '#src/shared/problem.ts';
import { openAddresses } from './product-data.ts';

const USAGE = `Usage: npm run import -- FOLDER --by EMAIL [--parent NAME] [--path NAME]
  FOLDER   where all archives of the copy were unpacked
  --by     the platform admin who is responsible for the import
  --parent domain name of the parent organization, for a team
  --path   a different domain name from the one that it had`;

function readArguments() {
  const text = { type: 'string' } as const;
  const { values, positionals } = parseArgs({
    options: { by: text, parent: text, path: text },
    allowPositionals: true,
  });
  const [folder, ...more] = positionals;
  if (!folder || more.length > 0 || !values.by) throw new StartError(USAGE);
  return { folder: path.resolve(folder), by: values.by, parent: values.parent ?? null, path: values.path ?? null };
}

try {
  const request = readArguments();
  const config = readConfig(process.env);
  const { addresses, stop } = await openAddresses(config);
  const [{ createApp }, { JOB_DEFINITIONS }] = await Promise.all([import('#src/app.ts'), import('#src/jobs.ts')]);
  const log = createLog({ level: 'warn', name: 'import' });
  const platform = await openPlatform({
    config,
    addresses,
    log,
    processName: 'import',
    jobDefinitions: JOB_DEFINITIONS,
    works: false,
    slotWaitMs: 15_000,
  });
  try {
    const { imports } = createApp(platform);
    const made = await imports.importCopy({ ...request, onProgress: (text) => console.log(text) });
    console.log(
      made.wasThere
        ? `This copy is here already, as organization ${made.organizationId}; ${made.photos} photos were added.`
        : `Organization ${made.organizationId}: ${made.photos} photos wait for the worker, ${made.records} records of its books are kept as history.`,
    );
  } finally {
    await platform.close();
    await stop();
  }
} catch (error) {
  console.error(isProblem(error) ? error.message : describeFailedStart(error));
  process.exitCode = 1;
}
