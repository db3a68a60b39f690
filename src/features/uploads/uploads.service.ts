/** From a signed upload form to a photo that is ready: policies, claims, processing, and the removal of what no one claimed. */
import { createClaims, type ClaimDeps } from '#src/features/uploads/claims.service.ts';
import { createIngest, type IngestDeps } from '#src/features/uploads/ingest.service.ts';
import { createUploadPolicies, type UploadPolicyDeps } from '#src/features/uploads/upload-policies.service.ts';
import { createUploadSweep, type UploadSweepDeps } from '#src/features/uploads/upload-sweep.service.ts';

export type UploadDeps = Omit<ClaimDeps, 'policies'> & UploadPolicyDeps & IngestDeps & UploadSweepDeps;
export type UploadService = ReturnType<typeof createUploadService>;

export function createUploadService(deps: UploadDeps) {
  const policies = createUploadPolicies(deps);
  return {
    ...policies,
    ...createClaims({ ...deps, policies }),
    ...createUploadSweep(deps),
    ...createIngest(deps),
  };
}
