/** What was done, by whom, to what: shapes of the audit log (threat 70). */
import * as z from 'zod/mini';
import { countUpTo } from '#src/features/photos/photos.contract.ts';
import { idSchema } from '#src/shared/validators.ts';

export const AUDIT_PER_PAGE = 50;
export const MAX_AUDIT_PER_PAGE = 100;

export const auditQuery = z.object({
  /** `next` of the page before. */
  after: z.optional(idSchema),
  limit: z.optional(countUpTo(MAX_AUDIT_PER_PAGE)),
  /** Only what was done to things of this kind, and with `object_id` to this one. */
  object_type: z.optional(z.string().check(z.maxLength(60, 'At most 60 characters, please.'))),
  object_id: z.optional(z.string().check(z.maxLength(100, 'At most 100 characters, please.'))),
});
export type AuditQuery = z.infer<typeof auditQuery>;

export const auditEntry = z.object({
  id: z.number(),
  at: z.string(),
  /** Null when no signed-in user did it: a visitor, or the house itself. */
  actor: z.nullable(z.object({ id: z.number(), name: z.string() })),
  organization_id: z.nullable(z.number()),
  action: z.string(),
  object_type: z.string(),
  object_id: z.string(),
  details: z.unknown(),
  /** Told to platform admins only: an address is a person's. */
  ip: z.nullable(z.string()),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/** Newest first. */
export const auditPage = z.object({ entries: z.array(auditEntry), next: z.nullable(z.number()) });
export type AuditPage = z.infer<typeof auditPage>;
