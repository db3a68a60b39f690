/** An affiliate with its galleries: `GET /api/v1/affiliates/{domainName}`. */
import * as z from 'zod/mini';
import { listedGallery } from '#src/features/galleries/galleries.contract.ts';
import { memberFacts } from '#src/features/settings/settings.contract.ts';
import { ownFigures } from '#src/features/reports/reports.contract.ts';
import { publicOrganization } from '#src/features/tenancy/organizations.contract.ts';

export const AFFILIATE_NOT_FOUND = 'This affiliate cannot be found.';

/** Galleries in one answer; `galleries_next` leads to more. */
export const MAX_LISTED_GALLERIES = 100;

export const affiliateAnswer = z.object({
  ...publicOrganization.shape,
  /** Members also get their own facts; the secret key is never returned (rule 7). */
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
  /** For `?after=`, which gives the galleries after these; null after the last one. */
  galleries_next: z.nullable(z.string()),
  /** Sales, for a parent including its children, and its promo code; only for members. */
  ...z.partial(ownFigures).shape,
});
