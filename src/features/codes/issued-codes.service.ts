/**
 * Platform admins issue promo codes for organizations that accept them, change how often and how long they are valid, end them,
 * and see which accounts were created with them. A code's row is locked while it changes, so that a simultaneous use is counted
 * before or after, never lost.
 */
import { randomInt } from 'node:crypto';
import { requirePlatformAdmin, requireUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import * as words from '#src/features/codes/issued-codes.contract.ts';
import type {
  CodeChanges,
  CodesQuery,
  IssuedCode,
  NewCode,
  Redemptions,
} from '#src/features/codes/issued-codes.contract.ts';
import { presentCode, type CodeRow } from '#src/features/codes/issued-codes.rules.ts';
import * as issuedCodesSql from '#src/features/codes/issued-codes.sql.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import type { Writer } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { machineDay } from '#src/shared/dates.ts';
import { bind } from '#src/shared/bind.ts';
import { randomCode } from '#src/shared/random-key.ts';
import { present } from '#src/shared/field-names.ts';
import { pageOf, type PageQuery } from '#src/shared/paging.ts';
import { fieldProblem, notFound, problem, refuseFields, type FieldErrors } from '#src/shared/problem.ts';

const OFFICE = { kind: 'system', why: 'platform admins manage the promo codes of all organizations' } as const;
/** More organizations than ever accept codes. */
const ORGANIZATIONS_SHOWN = 500;
/** A generated code is rarely taken; five in a row do not happen. */
const TRIES = 5;

export type IssuedCodeService = ReturnType<typeof createIssuedCodes>;

type IssuedCodesDeps = Pick<Platform, 'database' | 'clock'> & {
  organizations: Pick<OrganizationService, 'byId'>;
  audit: AuditRecorder;
};

function record(
  ctx: IssuedCodesDeps,
  tx: Writer,
  caller: Caller,
  row: CodeRow,
  action: string,
  details: Record<string, string | number | null>,
) {
  return ctx.audit.record(tx, caller, {
    action: `promo_code.${action}`,
    organizationId: row.organization.id,
    object: ['promo_code', row.id],
    details: { code: row.code, ...details },
  });
}

function shown(ctx: IssuedCodesDeps, row: CodeRow): IssuedCode {
  return presentCode(row, ctx.clock.now());
}

/** @throws not_found; conflict for one that was ended */
async function lock(tx: Writer, id: number): Promise<CodeRow> {
  const row = await issuedCodesSql.lockCode(tx, id);
  if (!row) throw notFound(words.CODE_NOT_FOUND);
  if (row.endedAt !== null) throw problem('conflict', words.CODE_HAS_ENDED);
  return row;
}

/** Reads a code again after it was changed. */
async function readChanged(tx: Writer, id: number): Promise<CodeRow> {
  const row = await issuedCodesSql.findCode(tx, id);
  if (!row) throw notFound(words.CODE_NOT_FOUND);
  return row;
}

function isPast(ctx: IssuedCodesDeps, lastDay: string | null | undefined, timeZone: string): boolean {
  return typeof lastDay === 'string' && lastDay < machineDay(ctx.clock.now(), timeZone);
}

/** The newest first, of one organization or all. @throws unauthenticated; forbidden */
export async function list(ctx: IssuedCodesDeps, caller: Caller, { organization_id, after, limit }: CodesQuery = {}) {
  requirePlatformAdmin(caller.actor);
  const most = limit ?? words.CODES_PER_PAGE;
  const rows = await ctx.database.read(OFFICE, (db) =>
    issuedCodesSql.listCodes(db, { organizationId: organization_id ?? null, after: after ?? null, limit: most + 1 }),
  );
  const { shown: page, next } = pageOf(rows, most);
  return { promo_codes: page.map((row) => shown(ctx, row)), next };
}

/** Organizations that codes can be issued for. @throws unauthenticated; forbidden */
export async function acceptingOrganizations(ctx: IssuedCodesDeps, caller: Caller) {
  requirePlatformAdmin(caller.actor);
  return ctx.database.read(OFFICE, (db) => issuedCodesSql.listAccepting(db, ORGANIZATIONS_SHOWN));
}

/** @throws unauthenticated; forbidden; invalid with the problems of all fields */
export async function issue(ctx: IssuedCodesDeps, caller: Caller, fresh: NewCode): Promise<IssuedCode> {
  requirePlatformAdmin(caller.actor);
  const owner = await ctx.organizations.byId(fresh.organization_id);
  const errors: FieldErrors = {};
  if (!owner) errors['organization_id'] = [words.CHOOSE_ORGANIZATION];
  if (owner && !owner.takesPromoCodes) errors['organization_id'] = [words.TAKES_NO_CODES];
  if (isPast(ctx, fresh.last_day, owner?.timeZone ?? 'UTC')) errors['last_day'] = [words.LAST_DAY_PAST];
  refuseFields(errors);
  const by = requireUser(caller.actor).userId;
  return ctx.database.write(OFFICE, async (tx) => {
    for (let attempt = 0; owner && attempt < TRIES; attempt++) {
      const code = fresh.code ?? randomCode(words.CODE_CHARACTERS, randomInt);
      const issued = { organization_id: owner.id, code, max_uses: fresh.max_uses, created_by: by };
      const id = await issuedCodesSql.insertCode(tx, issued, fresh.last_day ?? null, owner.timeZone);
      if (id !== null) {
        const row = await readChanged(tx, id);
        await record(ctx, tx, caller, row, 'issued', { max_uses: fresh.max_uses, last_day: fresh.last_day ?? null });
        return shown(ctx, row);
      }
      if (fresh.code) break;
    }
    throw fieldProblem({ code: [words.CODE_TAKEN] });
  });
}

/**
 * Sets how often and until when it is valid, never below its uses.
 * @throws unauthenticated; forbidden; not_found; conflict for one that was ended; invalid
 */
export async function change(ctx: IssuedCodesDeps, caller: Caller, id: number, { max_uses, last_day }: CodeChanges) {
  requirePlatformAdmin(caller.actor);
  return ctx.database.write(OFFICE, async (tx) => {
    const before = await lock(tx, id);
    const errors: FieldErrors = {};
    if (max_uses !== undefined && max_uses < before.uses) errors['max_uses'] = [words.fewerThanUsed(before.uses)];
    const shownBefore = shown(ctx, before);
    if (last_day !== shownBefore.last_day && isPast(ctx, last_day, before.organization.time_zone))
      errors['last_day'] = [words.LAST_DAY_PAST];
    refuseFields(errors);
    await issuedCodesSql.updateCode(tx, id, {
      maxUses: max_uses,
      lastDay: last_day,
      timeZone: before.organization.time_zone,
    });
    const row = await readChanged(tx, id);
    const shownAfter = shown(ctx, row);
    await record(ctx, tx, caller, row, 'changed', {
      max_uses_before: shownBefore.max_uses,
      max_uses: shownAfter.max_uses,
      last_day_before: shownBefore.last_day,
      last_day: shownAfter.last_day,
    });
    return shownAfter;
  });
}

/** Ends a code immediately. Ending it again changes nothing. @throws unauthenticated; forbidden; not_found */
export async function end(ctx: IssuedCodesDeps, caller: Caller, id: number): Promise<IssuedCode> {
  requirePlatformAdmin(caller.actor);
  return ctx.database.write(OFFICE, async (tx) => {
    const before = await issuedCodesSql.lockCode(tx, id);
    if (!before) throw notFound(words.CODE_NOT_FOUND);
    if (before.endedAt !== null) return shown(ctx, before);
    await issuedCodesSql.endCode(tx, id);
    const row = await readChanged(tx, id);
    await record(ctx, tx, caller, row, 'ended', { uses: row.uses });
    return shown(ctx, row);
  });
}

/** Accounts that were created with it, newest first. @throws unauthenticated; forbidden; not_found */
export async function redemptions(
  ctx: IssuedCodesDeps,
  caller: Caller,
  id: number,
  { after, limit }: PageQuery = {},
): Promise<Redemptions> {
  requirePlatformAdmin(caller.actor);
  const most = limit ?? words.REDEMPTIONS_PER_PAGE;
  const rows = await ctx.database.read(OFFICE, async (db) => {
    if (!(await issuedCodesSql.findCode(db, id))) throw notFound(words.CODE_NOT_FOUND);
    return issuedCodesSql.listRedemptions(db, { codeId: id, after: after ?? null, limit: most + 1 });
  });
  const { shown: page, next } = pageOf(rows, most);
  return {
    redemptions: page.map((row) => present(words.redemption, row)),
    next,
  };
}

export const createIssuedCodes = (deps: IssuedCodesDeps) =>
  bind(deps, { list, acceptingOrganizations, issue, change, end, redemptions });
