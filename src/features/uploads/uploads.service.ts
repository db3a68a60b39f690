/** From a signed upload form to a ready photo: policies, claims, processing, and removing unclaimed uploads. */
import * as claims from '#src/features/uploads/claims.service.ts';
import { giveUp, ingest, ingestOrWait, type IngestDeps } from '#src/features/uploads/ingest.service.ts';
import { sweepUploads, type UploadSweepDeps } from '#src/features/uploads/upload-sweep.service.ts';
import * as policies from '#src/features/uploads/upload-policies.service.ts';
import { bind } from '#src/shared/bind.ts';

export type UploadService = ReturnType<typeof createUploadService>;

export function createUploadService(deps: claims.ClaimDeps & IngestDeps & UploadSweepDeps) {
  return bind(deps, { ...policies, ...claims, sweepUploads, ingest, ingestOrWait, giveUp });
}
