/** A copy inside an S3-compatible store that is made only of the version that was meant. */
import { CopyObjectCommand, HeadObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { askStore } from '#src/platform/storage/s3-faults.ts';

export type S3Copy = { bucket: string; from: string; to: string; ifEtag: string | null };

const ABSENT = [404];
const CHANGED = [404, 412];
/** Ceph's request ids: `tx` and 21 hexadecimal digits. */
const CEPH_REQUEST = /^tx[0-9a-f]{21}-/;
const CEPH_CONDITION = 'x-amz-copy-if-match';

/**
 * False when the source is gone or has another version. Several stores take S3's condition
 * and ignore it, so the version is looked at first. Between that check and the copy only the
 * condition helps. Ceph's gateway has another name for it (tracker.ceph.com 40808,
 * seen in 16.2), so it gets that one as well.
 */
export async function copyInStore(client: S3Client, { bucket, from, to, ifEtag }: S3Copy): Promise<boolean> {
  const command = new CopyObjectCommand({
    Bucket: bucket,
    Key: to,
    CopySource: `${bucket}/${from}`,
    ...(ifEtag === null ? {} : { CopySourceIfMatch: ifEtag }),
  });
  if (ifEtag !== null) {
    const source = await askStore(() => client.send(new HeadObjectCommand({ Bucket: bucket, Key: from })), ABSENT);
    if (source?.ETag !== ifEtag) return false;
    if (CEPH_REQUEST.test(source.$metadata.requestId ?? '')) addHeader(command, CEPH_CONDITION, ifEtag);
  }
  return (await askStore(() => client.send(command), CHANGED)) !== null;
}

function addHeader(command: CopyObjectCommand, name: string, value: string): void {
  command.middlewareStack.add(
    (next) => async (args) => {
      (args.request as { headers: Record<string, string> }).headers[name] = value;
      return next(args);
    },
    { step: 'build', name: 'addCondition' },
  );
}
