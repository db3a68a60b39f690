/** `npm run backup -- FILE`: one file with the database, the objects and the secrets, beside a running product or a stopped one. */
import path from 'node:path';
import { backUp } from '#src/platform/backup/backup.ts';
import { readConfig } from '#src/platform/config/config.ts';
import { StartError, describeFailedStart } from '#src/platform/processes/messages.ts';

try {
  const [file, ...more] = process.argv.slice(2);
  if (!file || more.length > 0) throw new StartError('Usage: npm run backup -- FILE');
  const config = readConfig(process.env);
  if (config.databaseUrl !== null) {
    throw new StartError(
      'With DATABASE_URL the database is backed up by its own tools (pg_dump, point-in-time recovery); see docs/operations.md.',
    );
  }
  const { files, bytes } = await backUp({
    dataDir: config.dataDir,
    file: path.resolve(file),
    withObjects: config.s3 === null,
  });
  console.log(
    `${file}: ${files} files, ${bytes} bytes${config.s3 ? '; the objects are in S3 and are backed up there' : ''}`,
  );
} catch (error) {
  console.error(describeFailedStart(error));
  process.exitCode = 1;
}
