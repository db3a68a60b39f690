/**
 * Every action that someone may have to account for writes one entry, in the action's own transaction, so that neither
 * exists without the other. Entries are never changed or deleted; members read those of their organization, platform
 * admins all.
 */
import {
  isPlatformAdmin,
  requirePlatformAdmin,
  requireUserId,
  type Caller,
} from '#src/features/tenancy/actor.rules.ts';
import * as contract from '#src/features/audit/audit.contract.ts';
import { AUDIT_COLUMNS, auditCells } from '#src/features/audit/audit.rules.ts';
import * as auditSql from '#src/features/audit/audit.sql.ts';
import { editedBy, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { tenantScope, type Writer } from '#src/platform/db/db.ts';
import { mayTake } from '#src/platform/limits/rate-limits.ts';
import type { Platform } from '#src/platform/platform.ts';
import { csvChunks } from '#src/shared/csv.ts';
import { DEFAULT_TIME_ZONE, DAY_SECONDS } from '#src/shared/dates.ts';
import { notFound, refuseFields, type FieldErrors } from '#src/shared/problem.ts';
import { bind } from '#src/shared/bind.ts';
import { present } from '#src/shared/field-names.ts';
import { pageOf, readPages } from '#src/shared/paging.ts';
import { readId } from '#src/shared/read-id.ts';

const REFUSALS = { kind: 'system', why: 'refused calls of platform admins are no organization’s' } as const;
const WHOLE_LOG = { kind: 'system', why: 'platform admins read the log of the whole platform' } as const;
/** Entries read at a time for a file. */
const LINES_AT_A_TIME = 1_000;

export type AuditService = ReturnType<typeof createAuditService>;
/** The part that other modules use. */
export type AuditRecorder = Pick<AuditService, 'record' | 'recordAll'>;

type AuditDeps = Pick<Platform, 'database' | 'limits'> & {
  organizations: Pick<OrganizationService, 'byId'>;
};
type Search = Omit<auditSql.AuditSearch, 'beforeId' | 'limit'> & { lastId: number | null };

/** The ids of what the filter names. @throws invalid for an unknown person or organization */
async function searchOf(ctx: AuditDeps, filter: contract.AuditFilter): Promise<Search> {
  const errors: FieldErrors = {};
  const person = filter.person?.trim() ?? '';
  const place = filter.organization?.trim() ?? '';
  return ctx.database.read(WHOLE_LOG, async (db) => {
    const actorId = person === '' ? undefined : (readId(person) ?? (await auditSql.findPersonByEmail(db, person)));
    if (actorId === null) errors['person'] = [contract.NO_ACCOUNT_FOUND];
    const id = readId(place);
    const organizationIds =
      place === '' ? null : id !== null ? [id] : await auditSql.findOrganizationsByPath(db, place);
    if (organizationIds?.length === 0) errors['organization'] = [contract.NO_ORGANIZATION_FOUND];
    refuseFields(errors);
    const days = { from: filter.from || null, to: filter.to || null, timeZone: DEFAULT_TIME_ZONE };
    const { firstId, lastId } = await auditSql.idsOfDays(db, days);
    // No entries that new, or none that old: there is nothing to search.
    const isEmpty = (days.from !== null && firstId === null) || (days.to !== null && lastId === null);
    return {
      organizationIds,
      actorId,
      action: filter.action || undefined,
      objectType: filter.object_type || undefined,
      objectId: filter.object_id || undefined,
      days,
      fromId: firstId,
      lastId: isEmpty ? 0 : lastId,
    };
  });
}

function lines(ctx: AuditDeps, { lastId, ...search }: Search, after: number | null, limit: number) {
  const beforeId = after ?? (lastId === null ? null : lastId + 1);
  return ctx.database.read(WHOLE_LOG, (db) => auditSql.listActions(db, { ...search, beforeId, limit }));
}

/**
 * A caller, or who it was; null for our own work. Without `ip` the entry has no address: for takedown requests only a
 * keyed hash is stored, for a limited time, whereas entries are permanent (docs/decisions/0020-takedown.md).
 */
type By = { actor: Caller['actor']; ip?: string | null } | { userId: number; ip: string | null } | null;

/**
 * Writes the entry, in the action's transaction. Entries are permanent: `details` contain no secret, and no address
 * except an organization's own contact data, and those of an account that changes its own, which only platform admins
 * read.
 */
export function record(tx: Writer, by: By, action: auditSql.Action): Promise<void> {
  return recordAll(tx, by, [action]);
}

/** As `record`, for many actions of one click. */
export async function recordAll(tx: Writer, by: By, actions: readonly auditSql.Action[]): Promise<void> {
  if (actions.length === 0) return;
  const person = by !== null && 'actor' in by ? by.actor : by;
  const userId = person !== null && 'userId' in person ? person.userId : null;
  const tokenId = person !== null && 'tokenId' in person ? person.tokenId : null;
  const entries = tokenId === null ? actions : actions.map((action) => byToken(action, tokenId));
  await auditSql.insertActions(tx, { userId, ip: by?.ip ?? null }, entries);
}

/** What a program did counts as an action of its owner, and the entry names the token. */
const byToken = (action: auditSql.Action, tokenId: number): auditSql.Action => ({
  ...action,
  details: { ...action.details, api_token: tokenId },
});

/**
 * Records that someone made a platform admins' call, which is refused (threat 18): each call once a day, so that no one
 * fills the log. `call` is a method and the pattern of a route. Only platform admins read it.
 */
export async function recordRefusal(ctx: AuditDeps, caller: Caller, call: string): Promise<void> {
  const userId = requireUserId(caller.actor);
  const isNew = await mayTake(
    ctx.limits,
    { bucket: `refused-call:${userId}:${call}`, limit: 1, windowSeconds: DAY_SECONDS },
    { bucket: `refused-calls:${userId}`, limit: contract.REFUSALS_A_DAY, windowSeconds: DAY_SECONDS },
  );
  if (!isNew) return;
  const line = { organizationId: null, action: 'platform_call.refused', object: ['call', call] } as const;
  await ctx.database.write(REFUSALS, (tx) => record(tx, caller, line));
}

/** Actions on an organization's objects, newest first. @throws unauthenticated; not_found for other organizations */
export async function list(ctx: AuditDeps, caller: Caller, organizationId: number, query: contract.AuditQuery = {}) {
  const owner = await editedBy(ctx.organizations, caller, organizationId);
  const { limit = contract.AUDIT_PER_PAGE } = query;
  const rows = await ctx.database.read(tenantScope(owner.id), (db) =>
    auditSql.listActions(db, {
      organizationIds: [owner.id],
      objectType: query.object_type,
      objectId: query.object_id,
      beforeId: query.after ?? null,
      limit: limit + 1,
    }),
  );
  return presentPage(rows, limit, isPlatformAdmin(caller.actor));
}

/** The whole log, newest first. @throws unauthenticated; forbidden; invalid for an unknown person or organization */
export async function search(ctx: AuditDeps, caller: Caller, query: contract.AuditSearchQuery = {}) {
  requirePlatformAdmin(caller.actor);
  const { limit = contract.AUDIT_PER_PAGE } = query;
  return presentPage(await lines(ctx, await searchOf(ctx, query), query.after ?? null, limit + 1), limit, true);
}

/** One entry. @throws unauthenticated; forbidden; not_found */
export async function entry(ctx: AuditDeps, caller: Caller, id: number): Promise<contract.AuditEntry> {
  requirePlatformAdmin(caller.actor);
  const row = await ctx.database.read(WHOLE_LOG, (db) => auditSql.findAction(db, id));
  if (!row) throw notFound(contract.ENTRY_NOT_FOUND);
  return presentEntry(row, true);
}

/** All matching entries as a file; read page by page. @throws as `search` */
export async function csv(ctx: AuditDeps, caller: Caller, filter: contract.AuditFilter) {
  requirePlatformAdmin(caller.actor);
  const search = await searchOf(ctx, filter);
  const pages = readPages(LINES_AT_A_TIME, (last: auditSql.AuditRow | null) =>
    lines(ctx, search, last?.id ?? null, LINES_AT_A_TIME),
  );
  const head = AUDIT_COLUMNS.map(([name]) => name);
  return csvChunks(head, pages, (row) => auditCells(presentEntry(row, true)));
}

/** The actions and kinds of objects in the log, to choose from. @throws unauthenticated; forbidden */
export async function kinds(ctx: AuditDeps, caller: Caller): Promise<{ actions: string[]; objectTypes: string[] }> {
  requirePlatformAdmin(caller.actor);
  return ctx.database.read(WHOLE_LOG, (db) => auditSql.listKinds(db));
}

export function createAuditService(deps: AuditDeps) {
  return {
    record,
    recordAll,
    ...bind(deps, { recordRefusal, list, search, entry, csv, kinds }),
  };
}

function presentPage(rows: readonly auditSql.AuditRow[], limit: number, showsAddresses: boolean): contract.AuditPage {
  const { shown, next } = pageOf(rows, limit);
  return { entries: shown.map((row) => presentEntry(row, showsAddresses)), next };
}

function presentEntry(row: auditSql.AuditRow, showsAddresses: boolean): contract.AuditEntry {
  return present(contract.auditEntry, {
    ...row,
    actor: row.actorId === null ? null : { id: row.actorId, name: row.actorName ?? '' },
    // A single address needs no mask.
    ip: showsAddresses ? (row.ip?.replace(/\/32$/, '') ?? null) : null,
  });
}
