/** An affiliate with its galleries, as `GET /api/v1/affiliates/{domainName}` answers it. */
import * as z from 'zod/mini';
import { listedGallery } from '#src/features/galleries/galleries.contract.ts';
import { memberFacts } from '#src/features/settings/settings.contract.ts';
import { statsAnswer } from '#src/features/reports/reports.contract.ts';
import { publicOrganization } from '#src/features/tenancy/organizations.contract.ts';

export const AFFILIATE_NOT_FOUND = 'This affiliate cannot be found.';

/** Galleries of one answer; more are had by page (`/affiliates/{id}/galleries`). */
export const MAX_LISTED_GALLERIES = 100;

export const affiliateAnswer = z.object({
  ...publicOrganization.shape,
  /** Members also read what is their own; the secret key is never read out (rule 7). */
  ...z.partial(z.object(memberFacts)).shape,
  processor_info: z.object({
    stripe_pk: z.nullable(z.string()),
    stripe_sk: z.optional(z.null()),
    stripe_sk_set: z.optional(z.boolean()),
    stripe_sk_last4: z.optional(z.nullable(z.string())),
  }),
  parent_organization: z.nullable(publicOrganization),
  /** Visitors: listed ones only. Members: all active ones. */
  galleries: z.array(listedGallery),
  /** What was sold, of a parent by its children too; only for members. */
  ...z.partial(statsAnswer).shape,
});
