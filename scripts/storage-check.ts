/**
 * `npm run storage:check`: prints where rows and stored objects disagree; exit 1 if they do. With `--repair` it first
 * repairs what can be repaired, from `--originals FOLDER` (a backup) and from whole originals. For a running product or
 * a stopped one.
 */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { checkSettingsPictures } from '#src/features/branding/pictures-check.service.ts';
import { checkStorage } from '#src/features/pictures/photos-storage-check.service.ts';
import { repairStorage } from '#src/features/pictures/repairing.service.ts';
import { openPictureLab } from '#src/platform/images/picture-lab.ts';
import { describeFailedStart } from '#src/platform/processes/messages.ts';
import { StartError } from '#src/platform/processes/start-error.ts';
import { readCommandLine } from './command-line.ts';
import { openProductData, type Beside } from './product-data.ts';

const USAGE = 'Usage: npm run storage:check -- [--repair [--originals FOLDER]]';

/** @throws StartError */
async function readOptions(): Promise<{ repair: boolean; backup: string | null }> {
  const options = { repair: { type: 'boolean', default: false }, originals: { type: 'string' } } as const;
  const { values, positionals } = readCommandLine(options, USAGE);
  if (positionals.length > 0) throw new StartError(USAGE);
  const { repair, originals } = values;
  if (originals === undefined) return { repair, backup: null };
  if (!repair) throw new StartError(`--originals needs --repair.\n${USAGE}`);
  const backup = path.resolve(originals);
  if (!(await isFolder(backup))) throw new StartError(`${backup} is not a folder.`);
  // With a mistyped folder every damaged original would count as lost.
  const places = [path.join(backup, 'originals'), path.join(backup, 'objects', 'originals')];
  if (!(await Promise.all(places.map(isFolder))).includes(true))
    throw new StartError(`There are no originals in ${backup}: it needs a folder originals or objects/originals.`);
  return { repair, backup };
}

const isFolder = (folder: string): Promise<boolean> =>
  stat(folder).then(
    (found) => found.isDirectory(),
    () => false,
  );

async function repair(beside: Beside, backup: string | null): Promise<void> {
  const lab = openPictureLab({ concurrency: 1 });
  const print = (line: string) => console.log(line);
  const { repaired, lost } = await repairStorage({ ...beside, lab, backup, print }).finally(() => lab.close());
  console.log(`${repaired.length} repaired, ${lost.length} lost.`);
}

try {
  const options = await readOptions();
  const beside = await openProductData('storage check');
  try {
    if (options.repair) await repair(beside, options.backup);
    const violations = [...(await checkStorage(beside)), ...(await checkSettingsPictures(beside))];
    for (const violation of violations) console.log(violation);
    console.log(violations.length === 0 ? 'Rows and objects agree.' : `${violations.length} violations.`);
    process.exitCode = violations.length === 0 ? 0 : 1;
  } finally {
    await beside.close();
  }
} catch (error) {
  console.error(describeFailedStart(error));
  process.exitCode = 2;
}
