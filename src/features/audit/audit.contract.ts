/** Who did what to which object: shapes of the audit log (threat 70). */
import * as z from 'zod/mini';
import { dayFilter, daysInOrder } from '#src/shared/day-filter.ts';
import { countUpTo } from '#src/shared/paging.ts';
import { idSchema } from '#src/shared/validators.ts';

export const AUDIT_TITLE = 'Audit log';
export const ACTIVITY_TITLE = 'Activity';
export const NO_ACCOUNT_FOUND = 'No account has this email address or ID.';
export const NO_ORGANIZATION_FOUND = 'No organization has this domain name or ID.';
export const ENTRY_NOT_FOUND = 'This entry is not in the log.';

export const AUDIT_PER_PAGE = 50;
const MAX_AUDIT_PER_PAGE = 100;

/** Refused platform admin calls that are logged per person. */
export const REFUSALS_A_DAY = 20;

const text = (most: number) => z.string().check(z.maxLength(most, `At most ${most} characters, please.`));
/** `after` is `next` of the previous page. */
const page = { after: z.optional(idSchema), limit: z.optional(countUpTo(MAX_AUDIT_PER_PAGE)) };
/** Only actions on objects of this type, and with `object_id` on this one. */
const object = { object_type: z.optional(text(60)), object_id: z.optional(text(100)) };

export const auditQuery = z.object({ ...page, ...object });
export type AuditQuery = z.infer<typeof auditQuery>;

export const auditEntry = z.object({
  id: z.number(),
  at: z.string(),
  /** Null if no signed-in user did it: a visitor, or the platform itself. */
  actor: z.nullable(z.object({ id: z.number(), name: z.string() })),
  organization_id: z.nullable(z.number()),
  organization_name: z.nullable(z.string()),
  action: z.string(),
  object_type: z.string(),
  object_id: z.string(),
  /** Its current name, of a photo, gallery, team, season or imported file; null for other kinds, and for what is gone. */
  object_name: z.nullable(z.string()),
  details: z.unknown(),
  /** For platform admins only: an address is personal data. */
  ip: z.nullable(z.string()),
});
export type AuditEntry = z.infer<typeof auditEntry>;

/** Newest first. */
export const auditPage = z.object({ entries: z.array(auditEntry), next: z.nullable(z.number()) });
export type AuditPage = z.infer<typeof auditPage>;

/** Platform admins' filters for the whole log; empty ones are ignored. */
export const auditFilter = z
  .object({
    /** Id or domain name. */
    organization: z.optional(text(100)),
    /** Id or email address. */
    person: z.optional(text(254)),
    action: z.optional(text(60)),
    ...object,
    /** Whole days, `YYYY-MM-DD`, of the platform's time zone; both included. */
    ...dayFilter,
  })
  .check(daysInOrder);
export type AuditFilter = z.infer<typeof auditFilter>;
export const auditSearchQuery = z.intersection(auditFilter, z.object(page));
export type AuditSearchQuery = z.infer<typeof auditSearchQuery>;
