/**
 * `npm run import -- FOLDER --by EMAIL`: imports an organization's copy from another installation, while the product
 * runs.
 */
import '#src/platform/load-tsx.ts';
import path from 'node:path';
import { readConfig, type Config } from '#src/platform/config/config.ts';
import type { DatabaseAddresses } from '#src/platform/db/client.ts';
import { createLog } from '#src/platform/log.ts';
import { openPlatform } from '#src/platform/platform.ts';
import { describeFailedStart } from '#src/platform/processes/messages.ts';
import { requireSameSecret } from '#src/platform/processes/same-secret.ts';
import { StartError } from '#src/platform/processes/start-error.ts';
import { counted } from '#src/shared/counted.ts';
import { readCommandLine } from './command-line.ts';
import { openAddresses } from './product-data.ts';

const USAGE = `Usage: npm run import -- FOLDER --by EMAIL [--parent NAME] [--path NAME]
  FOLDER   where all archives of the copy were unpacked
  --by     the platform admin who is responsible for the import
  --parent domain name of the parent organization, for a team
  --path   a different domain name from the one that it had`;

function readArguments() {
  const text = { type: 'string' } as const;
  const { values, positionals } = readCommandLine({ by: text, parent: text, path: text }, USAGE);
  const [folder, ...more] = positionals;
  if (!folder || more.length > 0 || !values.by) throw new StartError(USAGE);
  return { folder: path.resolve(folder), by: values.by, parent: values.parent ?? null, path: values.path ?? null };
}

async function importInto(config: Config, addresses: DatabaseAddresses, request: ReturnType<typeof readArguments>) {
  // Keys of the new organization are encrypted with it.
  await requireSameSecret(addresses.ownerUrl, config);
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
  const { imports } = createApp(platform);
  return imports.importCopy({ ...request, onProgress: (text) => console.log(text) }).finally(() => platform.close());
}

try {
  const request = readArguments();
  const config = readConfig(process.env);
  const { addresses, stop } = await openAddresses(config);
  const made = await importInto(config, addresses, request).finally(stop);
  console.log(
    made.wasThere
      ? `This copy is here already, as organization ${made.organizationId}; ${counted(made.photos, 'photo was', 'photos were')} added.`
      : `Organization ${made.organizationId}: ${counted(made.photos, 'photo waits', 'photos wait')} for the worker, ${made.records} records of its books are kept as history.`,
  );
} catch (error) {
  console.error(describeFailedStart(error));
  process.exitCode = 1;
}
