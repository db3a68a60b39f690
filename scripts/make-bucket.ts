/**
 * `npm run storage:bucket -- ORIGIN…`: creates the bucket of S3_BUCKET and lets pages of these origins upload photos to
 * it.
 */
import { readConfig } from '#src/platform/config/config.ts';
import { describeFailedStart } from '#src/platform/processes/messages.ts';
import { StartError } from '#src/platform/processes/start-error.ts';
import { prepareBucket } from '#src/platform/storage/s3-bucket.ts';
import { openS3Client } from '#src/platform/storage/s3-storage.ts';

const ORIGIN = /^https?:\/\/[a-z0-9.*-]+(:\d+)?$/i;

async function run(origins: readonly string[]): Promise<number> {
  const { s3 } = readConfig(process.env);
  if (s3 === null) throw new StartError('S3_BUCKET must be set.');
  const odd = origins.find((origin) => !ORIGIN.test(origin));
  if (origins.length === 0 || odd !== undefined)
    throw new StartError(
      `Usage: npm run storage:bucket -- ORIGIN…, each with scheme and host such as https://*.sideline.example${odd === undefined ? '' : `, not ${odd}`}.`,
    );
  const client = openS3Client(s3);
  try {
    const { isNew, takesRules } = await prepareBucket(client, { bucket: s3.bucket, origins });
    console.log(`The bucket "${s3.bucket}" ${isNew ? 'was made' : 'was there already'}.`);
    console.log(
      takesRules
        ? `Pages of ${origins.join(', ')} may send photos to it.`
        : `The store takes no CORS rules: let its own configuration allow POST from ${origins.join(', ')}.`,
    );
    return 0;
  } finally {
    client.destroy();
  }
}

process.exitCode = await run(process.argv.slice(2)).catch((error: unknown) => {
  console.error(describeFailedStart(error));
  return 1;
});
