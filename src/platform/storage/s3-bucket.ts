/** Creates the bucket of an S3-compatible store, and lets the site's pages upload photos to it. */
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateBucketCommand, HeadBucketCommand, PutBucketCorsCommand, type S3Client } from '@aws-sdk/client-s3';
import { StartError } from '#src/platform/processes/start-error.ts';
import { storeStatus } from '#src/platform/storage/storage-faults.ts';

type PreparedBucket = {
  /** False if it existed before. */
  isNew: boolean;
  /** False if the store has no CORS rules of its own: its configuration has to allow the origins. */
  takesRules: boolean;
};

/** What an operator can do when the store answers like this. */
const REFUSALS: Record<number, string> = {
  301: 'is in another region: set S3_REGION',
  403: 'is closed to these credentials: check AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and their rights',
  404: 'does not exist: run "npm run storage:bucket", or change S3_BUCKET',
};

/** Why the bucket cannot be used, in one sentence; null if the store does not answer, which may pass. */
export function bucketRefusal(error: unknown, bucket: string): StartError | null {
  const hasNoCredentials = error instanceof Error && error.name === 'CredentialsProviderError';
  const reason = hasNoCredentials
    ? 'needs credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY'
    : REFUSALS[storeStatus(error) ?? 0];
  return reason === undefined ? null : new StartError(`The bucket "${bucket}" ${reason}.`, { cause: error });
}

const MAX_WAIT_MS = 60_000;
const NO_RULES = new Set(['NotImplemented', 'MethodNotAllowed', 'XNotImplemented']);

/**
 * Creates `bucket` if it is missing and replaces its CORS rules: pages of `origins` (`https://*.sideline.example`) may
 * POST. Waits up to a minute for a store that does not answer yet. Safe to repeat.
 * @throws StartError if the store refuses or does not answer
 */
export async function prepareBucket(
  client: S3Client,
  { bucket, origins, maxWaitMs = MAX_WAIT_MS }: { bucket: string; origins: readonly string[]; maxWaitMs?: number },
): Promise<PreparedBucket> {
  const isNew = await onceItAnswers(() => makeBucket(client, bucket), maxWaitMs).catch((error: unknown) => {
    throw explained(error, bucket);
  });
  const rule = { AllowedMethods: ['POST'], AllowedOrigins: [...origins], AllowedHeaders: ['*'], MaxAgeSeconds: 3600 };
  try {
    await client.send(new PutBucketCorsCommand({ Bucket: bucket, CORSConfiguration: { CORSRules: [rule] } }));
    return { isNew, takesRules: true };
  } catch (error) {
    if (!NO_RULES.has((error as Error).name) && storeStatus(error) !== 501) throw explained(error, bucket);
    return { isNew, takesRules: false };
  }
}

/** Some errors of the S3 library have no message. */
function explained(error: unknown, bucket: string): StartError {
  const reason: unknown = error instanceof AggregateError ? error.errors[0] : error;
  const { name, message } = reason instanceof Error ? reason : new Error(String(reason));
  const why = storeStatus(error) === null ? 'does not answer' : `refuses the bucket "${bucket}"`;
  return (
    bucketRefusal(error, bucket) ??
    new StartError(`The object store ${why}: ${(message || name).replace(/\.$/, '')}.`, { cause: error })
  );
}

async function makeBucket(client: S3Client, bucket: string): Promise<boolean> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }));
    return false;
  } catch (error) {
    if (storeStatus(error) !== 404) throw error;
  }
  try {
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    return true;
  } catch (error) {
    // Another run created it at the same moment.
    if ((error as Error).name === 'BucketAlreadyOwnedByYou') return false;
    throw error;
  }
}

async function onceItAnswers<T>(work: () => Promise<T>, maxWaitMs: number): Promise<T> {
  for (const deadline = Date.now() + maxWaitMs; ; await sleep(Math.min(1000, maxWaitMs))) {
    try {
      return await work();
    } catch (error) {
      const status = storeStatus(error);
      const isUnreachable = status === null || status >= 500;
      if (!isUnreachable || Date.now() >= deadline) throw error;
    }
  }
}
