/**
 * Platform admins open accounts and galleries for any organization, and choose it from a list that may be long: the server
 * searches it and never sends all of it. Each organization is public (rule 49); who belongs to whom is only for admins, and
 * for members of the parent.
 */
import { belongsTo, isPlatformAdmin, requireUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import {
  CHOICES_ARE_FOR_ADMINS,
  CHOICES_AT_ONCE,
  type ChoiceKind,
  type OrganizationChoice,
} from '#src/features/organization-picker/organization-choices.contract.ts';
import * as organizationChoicesSql from '#src/features/organization-picker/organization-choices.sql.ts';
import { PUBLIC, type Database } from '#src/platform/db/db.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { toDollars } from '#src/shared/money.ts';
import { bind } from '#src/shared/bind.ts';
import { problem } from '#src/shared/problem.ts';

export type OrganizationChoices = ReturnType<typeof createOrganizationChoices>;

type OrganizationChoicesDeps = { database: Database; origin: SiteOrigin };

function present(ctx: OrganizationChoicesDeps, row: organizationChoicesSql.ChoiceRow): OrganizationChoice {
  return {
    id: row.id,
    name: row.name,
    domain_name: row.domainName,
    parent_organization_id: row.parentOrganizationId,
    parent_name: row.parentName,
    site: siteUrl(ctx.origin, row.hostLabel, ''),
    ...(row.deletedAt !== null && { deleted: true }),
    free_tier: row.freeTier,
    default_photo_price: toDollars(row.defaultPhotoPriceCents),
  };
}

/** Members of a parent choose from the organizations below it, which its other pages list for them, too. */
function requireChooser({ actor }: Caller, parentId: number | null | undefined): void {
  if (isPlatformAdmin(actor)) return;
  requireUser(actor);
  if (parentId && belongsTo(actor, { organizationId: parentId, parentOrganizationId: null })) return;
  throw problem('forbidden', CHOICES_ARE_FOR_ADMINS);
}

/** The first matching organizations by name. @throws unauthenticated; forbidden */
export async function list(
  ctx: OrganizationChoicesDeps,
  caller: Caller,
  of: ChoiceKind,
  search = '',
  parentId?: number,
): Promise<OrganizationChoice[]> {
  requireChooser(caller, parentId);
  const rows = await ctx.database.read(PUBLIC, (db) =>
    organizationChoicesSql.listChoices(db, { of, search, parentId, limit: CHOICES_AT_ONCE }),
  );
  return rows.map((row) => present(ctx, row));
}

/**
 * One of them by its id; null for an unknown one. `parentId`: one of the sellers of this parent.
 * @throws unauthenticated; forbidden
 */
export async function one(ctx: OrganizationChoicesDeps, caller: Caller, id: number, parentId?: number) {
  requireChooser(caller, parentId);
  const row = await ctx.database.read(PUBLIC, (db) => organizationChoicesSql.findChoice(db, id, parentId));
  return row ? present(ctx, row) : null;
}

export const createOrganizationChoices = (deps: OrganizationChoicesDeps) => bind(deps, { list, one });
