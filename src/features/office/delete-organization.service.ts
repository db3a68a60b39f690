/**
 * A platform admin deletes an organization. It is a soft deletion: orders, receipts and downloads of its buyers stay; its
 * pages, galleries and invitations end, and its path is free. Organizations that are owed money, are just being paid, or have
 * sold credit that is not spent, cannot be deleted.
 */
import { requireAdminUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { ApiTokenService } from '#src/features/api-tokens/api-tokens.service.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import type { CreditService } from '#src/features/credit/credit.service.ts';
import type { LedgerService } from '#src/features/ledger/ledger.service.ts';
import { severalNamed } from '#src/features/office/delete-organization.contract.ts';
import { reasonsToStay } from '#src/features/office/delete-organization.rules.ts';
import * as organizationListSql from '#src/features/office/organization-list.sql.ts';
import { ORGANIZATION_NOT_FOUND } from '#src/features/tenancy/organizations.contract.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { cdnTags } from '#src/platform/cdn/cdn.ts';
import type { Writer } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound, problem } from '#src/shared/problem.ts';

const OFFICE = { kind: 'system', why: 'a platform admin deletes any organization' } as const;

type DeleteOrganizationDeps = Pick<Platform, 'database' | 'cdn'> & {
  organizations: Pick<OrganizationService, 'forget'>;
  ledger: Pick<LedgerService, 'unsettledWith'>;
  credit: Pick<CreditService, 'unspentAt'>;
  /** Whether one of its orders or refunds has no result yet. */
  hasPendingMoney(tx: Writer, organizationId: number): Promise<boolean>;
  /** Ends the sessions of its members who have no other organization; returns how many members those are. */
  endSignIns(tx: Writer, organizationId: number): Promise<number>;
  /** Revokes its API tokens. */
  endTokens: ApiTokenService['endAllOf'];
  audit: AuditRecorder;
};
export type DeleteOrganizationService = ReturnType<typeof createDeleteOrganization>;

async function idOf(ctx: DeleteOrganizationDeps, domainName: string, parentId: number | null): Promise<number> {
  const found = await ctx.database.read(OFFICE, (db) => organizationListSql.listNamed(db, domainName, parentId));
  const [first, second] = found;
  if (!first) throw notFound(ORGANIZATION_NOT_FOUND);
  if (second) throw problem('conflict', severalNamed(domainName));
  return first.id;
}

async function factsOf(ctx: DeleteOrganizationDeps, tx: Writer, id: number, kind: string) {
  return {
    isRoot: kind === 'root',
    hasAffiliates: await organizationListSql.hasChildren(tx, id),
    hasPendingMoney: await ctx.hasPendingMoney(tx, id),
    // After the check for pending orders: one that was paid since has issued its code by now.
    unspentCreditCents: await ctx.credit.unspentAt(tx, id),
    ...(await ctx.ledger.unsettledWith(tx, id)),
  };
}

/**
 * @param parentId the parent's id, or a parent's own; needed if several have the same name
 * @throws unauthenticated; forbidden; not_found; conflict with every reason why it stays
 */
export async function remove(ctx: DeleteOrganizationDeps, caller: Caller, domainName: string, parentId: number | null) {
  requireAdminUser(caller.actor);
  const id = await idOf(ctx, domainName, parentId);
  await ctx.database.write(OFFICE, async (tx) => {
    const row = await organizationListSql.lockForDeletion(tx, id);
    if (!row) throw notFound(ORGANIZATION_NOT_FOUND);
    const reasons = reasonsToStay(await factsOf(ctx, tx, id, row.kind));
    if (reasons.length > 0) throw problem('conflict', reasons.join(' '));
    await organizationListSql.markDeleted(tx, id);
    await ctx.cdn.requestPurge(tx, [cdnTags.organization(id)]);
    await ctx.endTokens(tx, caller, id);
    const signedOut = await ctx.endSignIns(tx, id);
    await ctx.audit.record(tx, caller, {
      action: 'organization.deleted',
      organizationId: id,
      object: ['organization', id],
      details: { name: row.name, domain_name: row.domainName, parent_id: row.parentId, signed_out: signedOut },
    });
  });
  ctx.organizations.forget(id);
}

export const createDeleteOrganization = (deps: DeleteOrganizationDeps) => bind(deps, { remove });
