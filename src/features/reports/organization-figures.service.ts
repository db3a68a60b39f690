/** What the office's list of organizations says of each: galleries, orders, and what it is owed. */
import { requirePlatformAdmin, type Caller } from '#src/features/tenancy/actor.rules.ts';
import * as figuresSql from '#src/features/reports/organization-figures.sql.ts';
import type { Database } from '#src/platform/db/db.ts';
import { bind } from '#src/shared/bind.ts';
import { cents, type Cents } from '#src/shared/money.ts';

const OFFICE = { kind: 'system', why: 'platform admins look over all organizations' } as const;
/** More than these are told as "1,000+". */
export const COUNTED_UP_TO = 1_001;

export type FiguresOf = { galleries: number; orders: number; owedCents: Cents };
export type OrganizationFiguresDeps = { database: Database };

/** Of each of these; one query. @throws unauthenticated; forbidden */
export async function of(
  ctx: OrganizationFiguresDeps,
  caller: Caller,
  ids: readonly number[],
): Promise<Map<number, FiguresOf>> {
  requirePlatformAdmin(caller.actor);
  const rows = await ctx.database.read(OFFICE, (db) => figuresSql.listFigures(db, ids, COUNTED_UP_TO));
  return new Map(
    rows.map(({ id, galleries, orders, owedCents }) => [id, { galleries, orders, owedCents: cents(owedCents) }]),
  );
}

export const createOrganizationFigures = (deps: OrganizationFiguresDeps) => bind(deps, { of });
