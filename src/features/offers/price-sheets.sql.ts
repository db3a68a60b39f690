/** Tables of this module: price_sheets, price_sheet_versions. It only reads galleries and sales. */
import { sql } from 'kysely';
import type { FrozenSheet, SheetContent } from '#src/features/offers/best-price.rules.ts';
import { GALLERIES_NAMED, PRICED_AT_MOST, SOLD_DAYS, type NamedGallery } from '#src/features/offers/offers.contract.ts';
import type { SheetPlace } from '#src/features/offers/price-sheets.rules.ts';
import type { Reader, RowOf, Writer } from '#src/platform/db/db.ts';

export type SheetRow = {
  id: number;
  organizationId: number;
  name: string;
  version: number;
  lastOfferId: number;
  isShared: boolean;
  isArchived: boolean;
  createdText: string;
  content: SheetContent;
};

const COLUMNS = sql`s.id, s.organization_id as "organizationId", s.name, s.current_version as version, s.last_offer_id as "lastOfferId",
  s.shared_with_children as "isShared", s.archived_at is not null as "isArchived", s.created_at::text as "createdText", v.content`;
const SHEETS = sql`price_sheets s join price_sheet_versions v on v.sheet_id = s.id and v.version = s.current_version`;

/** The sheets of an organization and those that its parent shares: archived ones last, newest first. */
export async function listSheets(
  db: Reader,
  owner: { id: number; parentId: number | null },
  { after, limit }: { after: SheetPlace | null; limit: number },
): Promise<SheetRow[]> {
  const later = after
    ? sql`and ((s.archived_at is not null) > ${after.isArchived} or ((s.archived_at is not null) = ${after.isArchived}
            and (s.created_at < ${after.createdText}::timestamptz or (s.created_at = ${after.createdText}::timestamptz and s.id > ${after.id}))))`
    : sql``;
  const { rows } = await sql<SheetRow>`
    select ${COLUMNS} from ${SHEETS}
     where (s.organization_id = ${owner.id}
            or (s.organization_id = ${owner.parentId}::bigint and s.shared_with_children and s.archived_at is null)) ${later}
     order by s.archived_at is not null, s.created_at desc, s.id limit ${limit}`.execute(db);
  return rows;
}

export async function findSheet(db: Reader, id: number): Promise<SheetRow | null> {
  const { rows } = await sql<SheetRow>`select ${COLUMNS} from ${SHEETS} where s.id = ${id}`.execute(db);
  return rows[0] ?? null;
}

/** Like `findSheet`, and locks the row: changing the sheet or assigning it to a gallery waits. */
export async function lockSheet(tx: Writer, id: number): Promise<SheetRow | null> {
  const { rows } = await sql<SheetRow>`select ${COLUMNS} from ${SHEETS} where s.id = ${id} for update of s`.execute(tx);
  return rows[0] ?? null;
}

/** The current content of these sheets, without archived ones. */
export async function listCurrent(db: Reader, ids: readonly number[]): Promise<FrozenSheet[]> {
  const { rows } = await sql<FrozenSheet>`
    select s.id, s.current_version as version, v.content from ${SHEETS}
     where s.id = any (${[...ids]}::bigint[]) and s.archived_at is null`.execute(db);
  return rows;
}

/**
 * Whether galleries of the organization may use the sheet: its own, or one that its parent shares. The trigger of
 * migration 0090 checks the same.
 */
export async function isForGalleriesOf(
  db: Reader,
  owner: { id: number; parentId: number | null },
  sheetId: number,
): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from price_sheets s where s.id = ${sheetId} and s.archived_at is null
                      and (s.organization_id = ${owner.id} or (s.shared_with_children and s.organization_id = ${owner.parentId}::bigint))) as found`.execute(
    db,
  );
  return rows[0]?.found ?? false;
}

export async function insertSheet(
  tx: Writer,
  sheet: RowOf<'price_sheets', 'organization_id' | 'name' | 'shared_with_children' | 'last_offer_id'>,
): Promise<number> {
  const row = await tx.insertInto('price_sheets').values(sheet).returning('id').executeTakeFirstOrThrow();
  return row.id;
}

export async function insertVersion(
  tx: Writer,
  version: { sheetId: number; version: number; organizationId: number; content: SheetContent; madeBy: number | null },
): Promise<void> {
  await tx
    .insertInto('price_sheet_versions')
    .values({
      sheet_id: version.sheetId,
      version: version.version,
      organization_id: version.organizationId,
      content: JSON.stringify(version.content),
      made_by: version.madeBy,
    })
    .execute();
}

export async function updateSheet(
  tx: Writer,
  id: number,
  sheet: { name: string; isShared: boolean; version: number; lastOfferId: number },
): Promise<void> {
  await tx
    .updateTable('price_sheets')
    .set({
      name: sheet.name,
      shared_with_children: sheet.isShared,
      current_version: sheet.version,
      last_offer_id: sheet.lastOfferId,
    })
    .where('id', '=', id)
    .execute();
}

export async function archive(tx: Writer, id: number): Promise<void> {
  await tx
    .updateTable('price_sheets')
    .set({ archived_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute();
}

/** Whose galleries count: those of `only`, or all but those of `except`; null excludes none. */
type Whose = { only: number | null; except?: number | null };
const ofWhose = ({ only, except }: Whose) =>
  sql`(${only}::bigint is null or g.organization_id = ${only}::bigint) and (${except ?? null}::bigint is null or g.organization_id <> ${except ?? null}::bigint)`;

type SheetUse = {
  sheetId: number;
  galleries: NamedGallery[];
  galleryCount: number;
  commonPriceCents: number | null;
};

/** The active galleries that use each of these sheets, newest first, and the most common price of a photo in them. */
export async function listUses(db: Reader, sheetIds: readonly number[], whose: Whose): Promise<SheetUse[]> {
  const { rows } = await sql<SheetUse>`
    select s.id as "sheetId", used.count as "galleryCount", used.price as "commonPriceCents",
           coalesce((select json_agg(json_build_object('id', named.id, 'name', named.name))
                       from (select g.id, g.name from galleries g where g.price_sheet_id = s.id and g.active and ${ofWhose(whose)}
                              order by g.created_at desc, g.id limit ${GALLERIES_NAMED}) named), '[]') as galleries
      from unnest(${[...sheetIds]}::bigint[]) as s (id),
           lateral (select count(*)::int as count, mode() within group (order by g.price_cents)::int as price
                      from galleries g where g.price_sheet_id = s.id and g.active and ${ofWhose(whose)}) used`.execute(
    db,
  );
  return rows;
}

/** Organizations whose active galleries use the sheet. */
export async function listOrganizationsUsing(db: Reader, sheetId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct organization_id as id from galleries
     where price_sheet_id = ${sheetId} and active order by 1`.execute(db);
  return rows.map(({ id }) => id);
}

type SheetSale = { sheetId: number; orders: number; photos: number; salesCents: number };

/** What was sold with the offers of each of these sheets in the last days. Sheets without sales are left out. */
export async function listSold(db: Reader, sheetIds: readonly number[], only: number | null): Promise<SheetSale[]> {
  const { rows } = await sql<SheetSale>`
    with offers as (
      select f.id, f.order_id, f.sheet_id from order_offers f join orders o on o.id = f.order_id
       where f.sheet_id = any (${[...sheetIds]}::bigint[]) and o.paid_at > now() - make_interval(days => ${SOLD_DAYS}) and o.status <> 'refunded'
         and (${only}::bigint is null or f.organization_id = ${only}::bigint)
    ), parts as (
      select f.sheet_id, f.order_id, 1 as photos, l.price_cents from offers f join order_photos l on l.order_id = f.order_id and l.order_offer_id = f.id
      union all
      select f.sheet_id, f.order_id, 0, p.price_cents from offers f join passes p on p.order_id = f.order_id and p.order_offer_id = f.id
    )
    select sheet_id as "sheetId", count(distinct order_id)::int as orders, sum(photos)::int as photos, sum(price_cents)::bigint as "salesCents"
      from parts group by sheet_id`.execute(db);
  return rows;
}

/** The most common price of the organization's own newest galleries, the lowest at a tie; null if none has a price. */
export async function findCommonPrice(db: Reader, organizationId: number): Promise<number | null> {
  const { rows } = await sql<{ priceCents: number }>`
    select g.price_cents as "priceCents"
      from (select price_cents from galleries where organization_id = ${organizationId} and active and price_cents > 0
             order by created_at desc, id limit ${PRICED_AT_MOST}) g
     group by g.price_cents order by count(*) desc, g.price_cents limit 1`.execute(db);
  return rows[0]?.priceCents ?? null;
}
