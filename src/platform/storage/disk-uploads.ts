/** Uploads to the disk driver: checks the signed form and stores its file once. */
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Clock } from '#src/platform/clock.ts';
import { crashAt } from '#src/platform/processes/crash-points.ts';
import type { DiskSpace } from '#src/platform/storage/disk-space.ts';
import { quotedEtag, rememberEtag, discardFile, nameFileOnce, stageFile } from '#src/platform/storage/disk-files.ts';
import { isObjectKey } from '#src/platform/storage/object-key.ts';
import { verifyPostPolicy, type AdmittedForm, type PolicyCredentials } from '#src/platform/storage/post-policy.ts';
import { ifThere, withFileProblems, refuseUpload } from '#src/platform/storage/storage-faults.ts';

/** Bytes that have arrived completely and are synced, but are not visible yet. */
type StagedUpload = {
  etag: string;
  /** Makes the object visible. Throws StoreRefusal AccessDenied if another post was first. */
  commit(): Promise<void>;
  discard(): Promise<void>;
};

export type DiskUploads = ReturnType<typeof createDiskUploads>;

/** Hundreds may be uploaded at the same time: each checks again after this many bytes whether the disk still has space. */
const CHECK_EVERY_BYTES = 1_048_576;
const ALREADY_STORED = 'This upload has been stored already.';

export function createDiskUploads(deps: {
  folder: string;
  credentials: PolicyCredentials;
  clock: Clock;
  space: Pick<DiskSpace, 'needForUpload'>;
}) {
  const { folder, credentials } = deps;
  return {
    bucket: credentials.bucket,

    /**
     * Checks a form's fields, names in lower case, before any byte of its file. Throws StoreRefusal; problems
     * storage_full, unavailable.
     */
    async admit(form: ReadonlyMap<string, string>) {
      const admitted = verifyPostPolicy(credentials, form, deps.clock.now());
      if (!isObjectKey(admitted.key)) throw refuseUpload('AccessDenied', 'Access Denied');
      const stored = await ifThere(() => stat(path.join(folder, admitted.key)));
      if (stored) throw refuseUpload('AccessDenied', ALREADY_STORED);
      await deps.space.needForUpload(admitted.maxBytes);
      return admitted;
    },

    /**
     * Receives the file's bytes. `expectedBytes` is only for a crash point. Throws StoreRefusal EntityTooLarge,
     * EntityTooSmall; problems storage_full, unavailable.
     */
    async stage(
      { key, minBytes, maxBytes }: AdmittedForm,
      body: AsyncIterable<Uint8Array>,
      expectedBytes: number,
    ): Promise<StagedUpload> {
      let checkAt = CHECK_EVERY_BYTES;
      const staged = await withFileProblems(() =>
        stageFile(folder, body, {
          onBytes: async (bytes) => {
            if (bytes > maxBytes)
              throw refuseUpload('EntityTooLarge', 'Your proposed upload exceeds the maximum allowed size.');
            if (bytes < checkAt) return;
            checkAt += CHECK_EVERY_BYTES;
            await deps.space.needForUpload(0);
          },
          onWritten: (bytes) => {
            if (bytes >= expectedBytes / 4) crashAt('upload.quarter_written');
          },
        }),
      );
      const discard = () => discardFile(staged.path);
      if (staged.bytes < minBytes) {
        await discard();
        throw refuseUpload('EntityTooSmall', 'Your proposed upload is smaller than the minimum allowed size.');
      }
      return { etag: quotedEtag(staged.sha256), discard, commit: () => withFileProblems(() => commit(key, staged)) };
    },
  };

  async function commit(key: string, staged: { path: string; sha256: string }): Promise<void> {
    const stats = await stat(staged.path);
    crashAt('upload.before_rename');
    try {
      if (!(await nameFileOnce(staged.path, path.join(folder, key))))
        throw refuseUpload('AccessDenied', ALREADY_STORED);
    } catch (error) {
      await discardFile(staged.path);
      throw error;
    }
    crashAt('upload.after_rename');
    await rememberEtag(folder, key, quotedEtag(staged.sha256), stats);
  }
}
