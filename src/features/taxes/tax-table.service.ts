/**
 * Members of a parent organization edit its tax table. Existing orders keep their rate; new orders get the changed one
 * within seconds.
 */
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import * as words from '#src/features/taxes/tax-table.contract.ts';
import { taxByTable, type TaxRate, type TaxFor } from '#src/features/taxes/tax.rules.ts';
import * as taxSql from '#src/features/taxes/tax.sql.ts';
import { ORGANIZATION_NOT_FOUND } from '#src/features/tenancy/organizations.contract.ts';
import { isChild, type Organization } from '#src/features/tenancy/organizations.rules.ts';
import { editedBy, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { PUBLIC, tenantScope, type Database, type Writer } from '#src/platform/db/db.ts';
import { createAnswerCache } from '#src/shared/answer-cache.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound, problem } from '#src/shared/problem.ts';
import type { Clock } from '#src/platform/clock.ts';

type TaxTableDeps = {
  database: Database;
  organizations: Pick<OrganizationService, 'byId'>;
  audit: AuditRecorder;
};
export type TaxTableService = ReturnType<typeof createTaxTableService>;

async function ownedBy(ctx: TaxTableDeps, caller: Caller, organizationId: number): Promise<Organization> {
  const owner = await editedBy(ctx.organizations, caller, organizationId, ORGANIZATION_NOT_FOUND);
  if (isChild(owner)) throw problem('forbidden', words.TAXES_ARE_THE_PARENTS);
  return owner;
}

function record(
  ctx: TaxTableDeps,
  tx: Writer,
  caller: Caller,
  owner: Organization,
  action: string,
  details: Record<string, string | number | null>,
) {
  return ctx.audit.record(tx, caller, {
    action,
    organizationId: owner.id,
    object: ['tax_rate', `${details['state'] ?? ''}:${details['zip_prefix'] ?? ''}`],
    details,
  });
}

/** The whole table, by state and zip. @throws unauthenticated; not_found for others; forbidden for affiliates */
export async function list(ctx: TaxTableDeps, caller: Caller, organizationId: number): Promise<words.TaxRateAnswer[]> {
  const owner = await ownedBy(ctx, caller, organizationId);
  const rates = await ctx.database.read(tenantScope(owner.id), (db) => taxSql.listTaxRates(db, owner.id));
  return rates.map(presentRate);
}

/** Adds a rate, or replaces the one of the same place. @throws as `list`; invalid when the table is full */
export async function put(ctx: TaxTableDeps, caller: Caller, organizationId: number, body: words.TaxRateBody) {
  const owner = await ownedBy(ctx, caller, organizationId);
  const rate: TaxRate = {
    state: body.state,
    zipPrefix: body.zip_prefix,
    ratePpm: body.rate,
    jurisdiction: body.jurisdiction,
  };
  await ctx.database.write(tenantScope(owner.id), async (tx) => {
    await taxSql.lockTaxTable(tx, owner.id);
    const before = await taxSql.findTaxRate(tx, owner.id, rate);
    await taxSql.putTaxRate(tx, owner.id, rate);
    if ((await taxSql.countTaxRates(tx, owner.id)) > words.MAX_TAX_RATES)
      throw problem('invalid', words.TAX_TABLE_IS_FULL);
    await record(ctx, tx, caller, owner, 'tax_rate.set', {
      state: rate.state,
      zip_prefix: rate.zipPrefix,
      rate_ppm_before: before?.ratePpm ?? null,
      rate_ppm: rate.ratePpm,
      jurisdiction_before: before?.jurisdiction ?? null,
      jurisdiction: rate.jurisdiction,
    });
  });
  return presentRate(rate);
}

/** @throws as `list`; not_found for an unknown rate */
export async function remove(
  ctx: TaxTableDeps,
  caller: Caller,
  organizationId: number,
  { state, zip_prefix }: words.TaxRateName,
): Promise<void> {
  const owner = await ownedBy(ctx, caller, organizationId);
  await ctx.database.write(tenantScope(owner.id), async (tx) => {
    await taxSql.lockTaxTable(tx, owner.id);
    const before = await taxSql.findTaxRate(tx, owner.id, { state, zipPrefix: zip_prefix });
    if (!before) throw notFound(words.TAX_RATE_NOT_THERE);
    await taxSql.deleteTaxRate(tx, owner.id, { state, zipPrefix: zip_prefix });
    await record(ctx, tx, caller, owner, 'tax_rate.removed', {
      state,
      zip_prefix,
      rate_ppm_before: before.ratePpm,
      rate_ppm: null,
    });
  });
}

export const createTaxTableService = (deps: TaxTableDeps) => bind(deps, { list, put, remove });

function presentRate({ state, zipPrefix, ratePpm, jurisdiction }: TaxRate): words.TaxRateAnswer {
  return { state, zip_prefix: zipPrefix, rate: ratePpm / 10_000, jurisdiction };
}

const REMEMBER_MS = 5_000;
const REMEMBER_AT_MOST = 1_000;

/** The tax of an order by its parent's table, which is read again after five seconds. */
export function createTaxTable(deps: { database: Database; clock: Clock }): TaxFor {
  const tables = createAnswerCache<TaxRate[]>({
    keptMs: REMEMBER_MS,
    atMost: REMEMBER_AT_MOST,
    now: () => deps.clock.now(),
  });
  const ratesOf = (organizationId: number) =>
    tables(`${organizationId}`, () => deps.database.read(PUBLIC, (db) => taxSql.listTaxRates(db, organizationId)));
  return async (order) => taxByTable(order, await ratesOf(order.parentOrganizationId));
}
