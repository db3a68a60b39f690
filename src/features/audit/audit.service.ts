/**
 * Every deed that somebody may have to answer for leaves one line, written in the deed's own
 * transaction, so that neither stands without the other. Lines are never changed or taken away; members
 * read those of their organisation, platform admins all.
 */
import { isPlatformAdmin, requireEditor, type Caller } from '#src/features/accounts/actor.rules.ts';
import {
  AUDIT_PER_PAGE,
  MAX_AUDIT_PER_PAGE,
  type AuditEntry,
  type AuditPage,
  type AuditQuery,
} from '#src/features/audit/audit.contract.ts';
import * as auditSql from '#src/features/audit/audit.sql.ts';
import type { OrganizationService } from '#src/features/organizations/organizations.service.ts';
import type { Database, Writer } from '#src/platform/db/db.ts';
import { notFound } from '#src/shared/problem.ts';

export type Deed = auditSql.Deed;
export type AuditService = ReturnType<typeof createAuditService>;
/** What other rooms take of this one. */
export type AuditRecorder = Pick<AuditService, 'record'>;

export type AuditDeps = { database: Database; organizations: Pick<OrganizationService, 'byId'> };

export function createAuditService({ database, organizations }: AuditDeps) {
  return {
    /** Writes the line, in the transaction of the deed. `details` carry no secret and nobody's address: lines stay for good. */
    record: (tx: Writer, deed: Deed): Promise<void> => auditSql.insertDeeds(tx, [deed]),

    /** As `record`, for many deeds of one press. */
    async recordAll(tx: Writer, deeds: readonly Deed[]): Promise<void> {
      if (deeds.length > 0) await auditSql.insertDeeds(tx, deeds);
    },

    /** What was done to an organisation's things, newest first. @throws unauthenticated; not_found for others' */
    async list(caller: Caller, organizationId: number, query: AuditQuery = {}): Promise<AuditPage> {
      const owner = await organizations.byId(organizationId);
      if (!owner) throw notFound();
      requireEditor(caller.actor, { organizationId: owner.id, parentOrganizationId: owner.parentOrganizationId });
      const limit = Math.min(query.limit ?? AUDIT_PER_PAGE, MAX_AUDIT_PER_PAGE);
      const rows = await database.read({ kind: 'tenants', organizationIds: [owner.id] }, (db) =>
        auditSql.listDeeds(db, {
          organizationId: owner.id,
          objectType: query.object_type,
          objectId: query.object_id,
          before: query.after ?? null,
          limit: limit + 1,
        }),
      );
      const shown = rows.slice(0, limit);
      return {
        entries: shown.map((row) => present(row, isPlatformAdmin(caller.actor))),
        next: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
      };
    },
  };
}

function present(row: auditSql.AuditRow, tellsAddresses: boolean): AuditEntry {
  return {
    id: row.id,
    at: row.at.toISOString(),
    actor: row.actorId === null ? null : { id: row.actorId, name: row.actorName ?? '' },
    organization_id: row.organizationId,
    action: row.action,
    object_type: row.objectType,
    object_id: row.objectId,
    details: row.details,
    ip: tellsAddresses ? row.ip : null,
  };
}
