/**
 * Price sheets of an organization: named sets of offers for its galleries. A sheet may serve many galleries. Children
 * of a parent may choose its shared sheets and cannot change them. Each change of the content is a new version, so that
 * orders keep the one that they were sold with (decision record 0091).
 */
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import * as words from '#src/features/offers/offers.contract.ts';
import * as rules from '#src/features/offers/price-sheets.rules.ts';
import * as sheetsSql from '#src/features/offers/price-sheets.sql.ts';
import { sheetWarnings, type PriceGroup } from '#src/features/offers/sheet-warnings.rules.ts';
import { requireUserId, type Caller } from '#src/features/tenancy/actor.rules.ts';
import { isChild, type Organization } from '#src/features/tenancy/organizations.rules.ts';
import { editedBy, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { tenantScope, type Reader, type Scope, type Writer } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { bind } from '#src/shared/bind.ts';
import { placeAfter, pageBy } from '#src/shared/paging.ts';
import { notFound, problem, refuseFields } from '#src/shared/problem.ts';
import { DAY_SECONDS } from '#src/shared/dates.ts';

type PriceSheetDeps = Pick<Platform, 'database' | 'limits'> & {
  organizations: Pick<OrganizationService, 'byId'>;
  audit: AuditRecorder;
  /** The prices of a photo in the galleries that use the sheet. */
  photos: { pricesOfSheet: (db: Reader, sheetId: number) => Promise<PriceGroup[]> };
  /** Removes the sheet from the galleries that use it, except those of the organization `except`. */
  galleries: { releasePriceSheet: (tx: Writer, sheetId: number, except: number | null) => Promise<void> };
};
export type PriceSheetService = ReturnType<typeof createPriceSheets>;

/** Each change stores a version of at most 8 kB permanently. */
const CHANGES_A_DAY = 5_000;

/** A parent's sheet is used and sold in the organizations below it. */
const WITH_CHILDREN: Scope = { kind: 'system', why: 'a parent’s price sheet is used by galleries of its children' };

type Row = sheetsSql.SheetRow;

/**
 * The only organization whose use of a sheet the caller sees; null: all of them. API tokens of a parent do not see what
 * its children do, because children have tokens of their own.
 */
const visibleOrganization = (caller: Caller, owner: Organization, row: Row): number | null =>
  caller.actor.kind === 'token' || row.organizationId !== owner.id ? owner.id : null;

async function presentAll(db: Reader, caller: Caller, owner: Organization, rows: readonly Row[]) {
  const answers = new Map<number, words.SheetAnswer>();
  for (const [only, sheets] of Map.groupBy(rows, (row) => visibleOrganization(caller, owner, row))) {
    const ids = sheets.map(({ id }) => id);
    const uses = await sheetsSql.listUses(db, ids, { only });
    const sales = await sheetsSql.listSold(db, ids, only);
    for (const row of sheets)
      answers.set(
        row.id,
        rules.presentSheet(
          row,
          uses.find(({ sheetId }) => sheetId === row.id) ?? null,
          sales.find(({ sheetId }) => sheetId === row.id) ?? null,
        ),
      );
  }
  return rows.flatMap((row) => answers.get(row.id) ?? []);
}

async function presentOne(db: Reader, caller: Caller, owner: Organization, row: Row): Promise<words.SheetAnswer> {
  const [sheet] = await presentAll(db, caller, owner, [row]);
  if (!sheet) throw notFound(words.SHEET_NOT_FOUND);
  return sheet;
}

async function warningsOf(ctx: PriceSheetDeps, db: Reader, owner: Organization, row: Row): Promise<string[]> {
  const prices = await ctx.photos.pricesOfSheet(db, row.id);
  if (prices.length > 0) return sheetWarnings(row.content, prices);
  return sheetWarnings(row.content, [{ priceCents: await usualPriceOf(db, owner), galleries: 0, ownPriced: 0 }]);
}

const usualPriceOf = async (db: Reader, owner: Organization): Promise<number> =>
  (await sheetsSql.findCommonPrice(db, owner.id)) ?? owner.defaultPhotoPriceCents;

/** What a photo usually costs: the galleries' most common price, or the default. @throws unauthenticated; not_found */
export async function usualPrice(ctx: PriceSheetDeps, caller: Caller, organizationId: number): Promise<number> {
  const owner = await editedBy(ctx.organizations, caller, organizationId);
  return ctx.database.read(tenantScope(owner.id), (db) => usualPriceOf(db, owner));
}

async function presentSaved(
  ctx: PriceSheetDeps,
  tx: Writer,
  { caller, owner, id }: { caller: Caller; owner: Organization; id: number },
): Promise<words.SavedSheet> {
  const row = await sheetsSql.findSheet(tx, id);
  if (!row) throw notFound(words.SHEET_NOT_FOUND);
  return { ...(await presentOne(tx, caller, owner, row)), warnings: await warningsOf(ctx, tx, owner, row) };
}

/** Any organization that may be a parent may share. @throws invalid */
function refuseSharing(owner: Organization, isShared: boolean | undefined): void {
  if (isShared === true && isChild(owner)) refuseFields({ shared_with_children: [words.NO_CHILDREN] });
}

/**
 * The sheets of an organization and those that its parent shares.
 * @throws unauthenticated; not_found for other organizations; invalid for an `after` that we did not write
 */
export async function list(
  ctx: PriceSheetDeps,
  caller: Caller,
  organizationId: number,
  query: { after?: string | null | undefined; limit?: number | undefined } = {},
): Promise<words.SheetsPage> {
  const owner = await editedBy(ctx.organizations, caller, organizationId);
  const after = placeAfter(query.after, rules.readSheetPlace);
  const limit = query.limit ?? words.SHEETS_PER_PAGE;
  return ctx.database.read(WITH_CHILDREN, async (db) => {
    const place = { id: owner.id, parentId: owner.parentOrganizationId };
    const rows = await sheetsSql.listSheets(db, place, { after, limit: limit + 1 });
    const { shown, next } = pageBy(rows, limit, rules.writeSheetPlace);
    return { price_sheets: await presentAll(db, caller, owner, shown), next };
  });
}

/**
 * For the page of one sheet: its content, its warnings and the prices of its galleries.
 * @throws unauthenticated; not_found for other organizations
 */
export async function find(ctx: PriceSheetDeps, caller: Caller, sheetId: number) {
  const { owner, row } = await editedSheet(ctx, caller, sheetId);
  return ctx.database.read(WITH_CHILDREN, async (db) => ({
    sheet: await presentOne(db, caller, owner, row),
    prices: await ctx.photos.pricesOfSheet(db, row.id),
  }));
}

/** Creates a sheet. @throws unauthenticated; not_found for other organizations; invalid; too_many */
export async function create(ctx: PriceSheetDeps, caller: Caller, organizationId: number, given: words.NewSheet) {
  const userId = requireUserId(caller.actor);
  const owner = await editedBy(ctx.organizations, caller, organizationId);
  refuseSharing(owner, given.shared_with_children);
  await takeChange(ctx, owner);
  // Ids of another sheet mean nothing here: a copied sheet has its own offers.
  const offers = given.offers.map((offer) => ({ ...offer, id: undefined }));
  const { content, lastOfferId } = rules.changedContent(rules.EMPTY_CONTENT, { ...given, offers }, 0);
  return ctx.database.write(WITH_CHILDREN, async (tx) => {
    const id = await sheetsSql.insertSheet(tx, {
      organization_id: owner.id,
      name: given.name,
      shared_with_children: given.shared_with_children ?? false,
      last_offer_id: lastOfferId,
    });
    await sheetsSql.insertVersion(tx, { sheetId: id, version: 1, organizationId: owner.id, content, madeBy: userId });
    await record(ctx, tx, caller, [owner.id], { id, done: 'created', details: { name: given.name } });
    return presentSaved(ctx, tx, { caller, owner, id });
  });
}

/**
 * Changes the given fields. New content is a new version, and each organization whose galleries use the sheet gets an
 * entry in its activity.
 * @param seen what the caller last saw of the fields that they change
 * @throws unauthenticated; not_found for other organizations, also for children of its owner; invalid; too_many;
 * conflict, with the current `price_sheet`, when someone else changed one of the fields meanwhile, or with the
 * `galleries` that would lose the sheet
 */
export async function change(
  ctx: PriceSheetDeps,
  caller: Caller,
  sheetId: number,
  { price_sheet: given, seen = {}, release = false }: words.SheetChangesBody,
): Promise<words.SavedSheet> {
  const userId = requireUserId(caller.actor);
  const { owner } = await editedSheet(ctx, caller, sheetId);
  refuseSharing(owner, given.shared_with_children);
  await takeChange(ctx, owner);
  return ctx.database.write(WITH_CHILDREN, async (tx) => {
    const row = await sheetsSql.lockSheet(tx, sheetId);
    if (!row) throw notFound(words.SHEET_NOT_FOUND);
    if (row.isArchived) throw problem('conflict', words.SHEET_ARCHIVED);
    refuseUnseen(seen, await presentOne(tx, caller, owner, row));
    refuseFields(rules.unknownOffers(given.offers, row.content.offers));
    if (row.isShared && given.shared_with_children === false)
      await releaseFromGalleries(ctx, tx, row, { except: owner.id, release });
    const { content, lastOfferId } = rules.changedContent(row.content, given, row.lastOfferId);
    const isNew = !rules.isSameContent(content, row.content);
    const version = isNew ? row.version + 1 : row.version;
    if (isNew)
      await sheetsSql.insertVersion(tx, { sheetId, version, organizationId: owner.id, content, madeBy: userId });
    const name = given.name ?? row.name;
    const isShared = given.shared_with_children ?? row.isShared;
    await sheetsSql.updateSheet(tx, sheetId, { name, isShared, version, lastOfferId });
    const organizationIds = isNew
      ? [...new Set([owner.id, ...(await sheetsSql.listOrganizationsUsing(tx, sheetId))])]
      : [owner.id];
    const details = { name, version, ...(isNew ? rules.wordsOfChange(row.content, content) : {}) };
    await record(ctx, tx, caller, organizationIds, { id: sheetId, done: 'changed', details });
    return presentSaved(ctx, tx, { caller, owner, id: sheetId });
  });
}

/**
 * Galleries can no longer use it; orders keep their version. Archiving it again changes nothing.
 * @throws unauthenticated; not_found; conflict with the `galleries` that use it, unless they are released
 */
export async function archive(ctx: PriceSheetDeps, caller: Caller, sheetId: number, release = false) {
  const { owner } = await editedSheet(ctx, caller, sheetId);
  return ctx.database.write(WITH_CHILDREN, async (tx) => {
    const row = await sheetsSql.lockSheet(tx, sheetId);
    if (!row) throw notFound(words.SHEET_NOT_FOUND);
    if (!row.isArchived) {
      const users = await sheetsSql.listOrganizationsUsing(tx, sheetId);
      await releaseFromGalleries(ctx, tx, row, { except: null, release });
      await sheetsSql.archive(tx, sheetId);
      const organizationIds = [...new Set([owner.id, ...users])];
      await record(ctx, tx, caller, organizationIds, { id: sheetId, done: 'archived', details: { name: row.name } });
    }
    return presentSaved(ctx, tx, { caller, owner, id: sheetId });
  });
}

export const createPriceSheets = (deps: PriceSheetDeps) =>
  bind(deps, { list, usualPrice, find, create, change, archive });

/** The sheet and its organization, for someone who may edit the organization. @throws unauthenticated; not_found */
async function editedSheet(ctx: PriceSheetDeps, caller: Caller, sheetId: number) {
  const row = await ctx.database.read(WITH_CHILDREN, (db) => sheetsSql.findSheet(db, sheetId));
  if (!row) {
    // Visitors get the same answer for any id.
    requireUserId(caller.actor);
    throw notFound(words.SHEET_NOT_FOUND);
  }
  const owner = await editedBy(ctx.organizations, caller, row.organizationId, words.SHEET_NOT_FOUND);
  return { owner, row };
}

const takeChange = (ctx: PriceSheetDeps, owner: Organization) =>
  ctx.limits.take({ bucket: `price-sheets:${owner.id}`, limit: CHANGES_A_DAY, windowSeconds: DAY_SECONDS });

/** Refuses to overwrite changes that the caller has not seen. The row is locked. */
function refuseUnseen(seen: words.SeenSheet, now: words.SheetAnswer): void {
  const fields = rules.fieldsChangedSince(seen, now);
  if (fields.length === 0) return;
  const errors = Object.fromEntries(fields.map((field) => [field, [words.changedMeanwhile(field)]]));
  throw problem('conflict', words.SHEET_CHANGED_MEANWHILE, { errors, extra: { price_sheet: now } });
}

/** Removes the sheet from galleries that use it, if `release` allows that. @throws conflict with the `galleries` */
async function releaseFromGalleries(
  ctx: PriceSheetDeps,
  tx: Writer,
  row: Row,
  { except, release }: { except: number | null; release: boolean },
): Promise<void> {
  const [use] = await sheetsSql.listUses(tx, [row.id], { only: null, except });
  if (!use || use.galleryCount === 0) return;
  if (!release)
    throw problem('conflict', words.galleriesUseIt(use.galleryCount), { extra: { galleries: use.galleries } });
  await ctx.galleries.releasePriceSheet(tx, row.id, except);
}

type SheetChange = { id: number; done: string; details: Record<string, string | number> };

function record(
  ctx: PriceSheetDeps,
  tx: Writer,
  caller: Caller,
  organizationIds: readonly number[],
  change: SheetChange,
) {
  return ctx.audit.recordAll(
    tx,
    caller,
    organizationIds.map((organizationId) => ({
      action: `price_sheet.${change.done}`,
      organizationId,
      object: ['price_sheet', change.id] as const,
      details: change.details,
    })),
  );
}
