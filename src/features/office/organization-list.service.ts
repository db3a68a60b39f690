/** Platform admins browse all organizations: as one list, as parents with their affiliates, as accounts. */
import { requirePlatformAdmin, type Caller } from '#src/features/tenancy/actor.rules.ts';
import {
  ACCOUNTS_PER_PAGE,
  COUNTED_UP_TO,
  ORGANIZATIONS_PER_PAGE,
} from '#src/features/office/organization-list.contract.ts';
import * as rules from '#src/features/office/organization-list.rules.ts';
import * as organizationListSql from '#src/features/office/organization-list.sql.ts';
import { bind } from '#src/shared/bind.ts';
import { PUBLIC, type Database } from '#src/platform/db/db.ts';
import type { PageQuery } from '#src/shared/paging.ts';

export type OrganizationListService = ReturnType<typeof createOrganizationList>;

type OrganizationListDeps = { database: Database };

/** All organizations by name, or a page of them. @throws unauthenticated; forbidden */
export async function byName(
  ctx: OrganizationListDeps,
  caller: Caller,
  params: PageQuery & { search?: string | undefined } = {},
): Promise<rules.Listed[]> {
  requirePlatformAdmin(caller.actor);
  const { search = '', after = null, limit = null } = params;
  return ctx.database.read(PUBLIC, (db) => organizationListSql.listByName(db, { search: search.trim(), after, limit }));
}

/** A page of parents, each before its affiliates; `count` up to 10,000. @throws unauthenticated; forbidden */
export async function families(ctx: OrganizationListDeps, caller: Caller, params: rules.ListParams) {
  requirePlatformAdmin(caller.actor);
  const part = { ...params, limit: ORGANIZATIONS_PER_PAGE };
  const [rows, count] = await ctx.database.read(PUBLIC, (db) =>
    Promise.all([
      organizationListSql.listFamilies(db, params.search, part),
      organizationListSql.countMatches(db, params.search, true, COUNTED_UP_TO),
    ]),
  );
  return { ...rules.pageOf(rows, part, ORGANIZATIONS_PER_PAGE), count };
}

/** A page of Edit Accounts; `count` up to 10,000. @throws unauthenticated; forbidden */
export async function accounts(ctx: OrganizationListDeps, caller: Caller, params: rules.AccountParams) {
  requirePlatformAdmin(caller.actor);
  const part = { ...params, limit: ACCOUNTS_PER_PAGE };
  const [rows, count] = await ctx.database.read(PUBLIC, (db) =>
    Promise.all([
      organizationListSql.listAccounts(db, params, part),
      organizationListSql.countMatches(db, params.search, false, COUNTED_UP_TO),
    ]),
  );
  return { ...rules.pageOf(rows, part, ACCOUNTS_PER_PAGE), count };
}

export const createOrganizationList = (deps: OrganizationListDeps) => bind(deps, { byName, families, accounts });
