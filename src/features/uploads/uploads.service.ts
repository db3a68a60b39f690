/** From a signed upload form to a ready photo: policies, claims, processing, and removing unclaimed uploads. */
import { claim, claimWithin, knownPhotos, prepare, type ClaimDeps } from '#src/features/uploads/claims.service.ts';
import { giveUp, ingest, ingestOrWait, type IngestDeps } from '#src/features/uploads/ingest.service.ts';
import { sweepUploads, type UploadSweepDeps } from '#src/features/uploads/upload-sweep.service.ts';
import { ownerByKey, releaseBytes, requestPolicy } from '#src/features/uploads/upload-policies.service.ts';
import { bind } from '#src/shared/bind.ts';

export type UploadService = ReturnType<typeof createUploadService>;

export function createUploadService(deps: ClaimDeps & IngestDeps & UploadSweepDeps) {
  return bind(deps, {
    ownerByKey,
    releaseBytes,
    requestPolicy,
    prepare,
    claimWithin,
    claim,
    knownPhotos,
    sweepUploads,
    ingest,
    ingestOrWait,
    giveUp,
  });
}
