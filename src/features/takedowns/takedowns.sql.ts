/** Tables of this module: takedowns, takedown_settings. */
import { sql } from 'kysely';
import type { TakedownMode, TakedownState } from '#src/features/takedowns/takedowns.contract.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';
import { columnsOf } from '#src/shared/field-names.ts';

type NewTakedown = {
  organizationId: number;
  galleryId: number;
  photoId: number;
  hidFirst: boolean;
  guardian: boolean;
  reason: string;
  contact: string;
  asker: Buffer;
};

/** Returns the id. The gallery's order must be locked, so that no one sends the same request meanwhile. */
export async function insertTakedown(tx: Writer, asked: NewTakedown): Promise<number> {
  const { organizationId, galleryId, photoId, hidFirst, guardian, reason, contact, asker } = asked;
  const { id } = await tx
    .insertInto('takedowns')
    .values(columnsOf({ organizationId, galleryId, photoId, hidFirst, guardian, reason, contact, asker }))
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Whether a request about the photo is open: of anyone, of this address, or one that hid it. */
export async function hasOpen(
  db: Reader,
  { photoId, contact, hidFirst }: { photoId: number; contact?: string; hidFirst?: boolean },
): Promise<boolean> {
  let query = db.selectFrom('takedowns').select('id').where('photo_id', '=', photoId).where('state', '=', 'open');
  if (contact !== undefined) query = query.where('contact', '=', contact);
  if (hidFirst !== undefined) query = query.where('hid_first', '=', hidFirst);
  return (await query.executeTakeFirst()) !== undefined;
}

type AskerStatus = { mode: TakedownMode; hiddenOfAsker: number; hiddenOfGallery: number; wasKept: boolean };

/** What decides whether the next request of an asker hides immediately. An asker is one address, or one sender. */
export async function findAskerStatus(
  db: Reader,
  asked: Pick<NewTakedown, 'organizationId' | 'galleryId' | 'photoId' | 'contact' | 'asker'>,
): Promise<AskerStatus> {
  const { rows } = await sql<AskerStatus>`
    select coalesce((select mode from takedown_settings where organization_id = ${asked.organizationId}), 'hide_first') as mode,
           (count(*) filter (where contact = ${asked.contact} or asker = ${asked.asker}))::integer as "hiddenOfAsker",
           count(*)::integer as "hiddenOfGallery",
           exists (select from takedowns where photo_id = ${asked.photoId} and state = 'kept') as "wasKept"
      from takedowns
     where gallery_id = ${asked.galleryId} and state = 'open' and hid_first`.execute(db);
  return rows[0] as AskerStatus;
}

export async function findMode(db: Reader, organizationId: number): Promise<TakedownMode> {
  const row = await db
    .selectFrom('takedown_settings')
    .select('mode')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  return (row?.mode as TakedownMode | undefined) ?? 'hide_first';
}

export async function saveMode(tx: Writer, organizationId: number, mode: TakedownMode): Promise<void> {
  await tx
    .insertInto('takedown_settings')
    .values({ organization_id: organizationId, mode })
    .onConflict((conflict) => conflict.column('organization_id').doUpdateSet({ mode }))
    .execute();
}

export type TakedownRow = Awaited<ReturnType<typeof settle>>[number];

const ROW = ['id', 'gallery_id as galleryId', 'photo_id as photoId', 'state', 'contact'] as const;

/** Locks the request of one of these organizations; no one else can decide it until the transaction ends. */
export async function lockTakedown(tx: Writer, id: number, organizationIds: readonly number[]) {
  return tx
    .selectFrom('takedowns')
    .select(ROW)
    .where('id', '=', id)
    .where('organization_id', 'in', [...organizationIds])
    .forUpdate()
    .executeTakeFirst();
}

export type Settled = { state: TakedownState; decidedBy: number | null; note: string; at: Date };

/** Settles one request, or all open ones of a photo; returns those that were settled. */
export async function settle(
  tx: Writer,
  which: { id: number } | { photoId: number },
  { state, decidedBy, note, at }: Settled,
) {
  return tx
    .updateTable('takedowns')
    .set({ state, decided_by: decidedBy, note, decided_at: at })
    .where('id' in which ? 'id' : 'photo_id', '=', 'id' in which ? which.id : which.photoId)
    .where('state', '=', 'open')
    .returning(ROW)
    .execute();
}

/** Deletes personal data of requests with an older decision; returns which. */
export async function forgetBefore(tx: Writer, before: Date): Promise<number[]> {
  const rows = await tx
    .updateTable('takedowns')
    .set({ contact: null, reason: null, asker: null, forgotten_at: sql<Date>`now()` })
    .where('state', '<>', 'open')
    .where('forgotten_at', 'is', null)
    .where('decided_at', '<', before)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** The maximum of the count. */
const COUNTED = 100;

/** Newest first, by key. */
export async function listTakedowns(
  db: Reader,
  search: {
    organizationIds: readonly number[];
    state: 'open' | 'decided' | null;
    before: number | null;
    limit: number;
    only?: number;
  },
) {
  let query = db
    .selectFrom('takedowns as t')
    .innerJoin('photos as p', 'p.id', 't.photo_id')
    .innerJoin('galleries as g', 'g.id', 't.gallery_id')
    .innerJoin('organizations as o', 'o.id', 't.organization_id')
    .leftJoin('users as u', 'u.id', 't.decided_by')
    .select([
      't.id',
      sql<TakedownState>`t.state`.as('state'),
      't.organization_id as organizationId',
      't.gallery_id as galleryId',
      'g.name as galleryName',
      'g.display_watermark as displayWatermark',
      'o.domain_name as affiliate',
      't.photo_id as photoId',
      'p.name as photoName',
      'p.status as photoStatus',
      'p.pixel_version as pixelVersion',
      'p.width',
      'p.height',
      'p.show_in_gallery as showInGallery',
      sql<boolean>`p.removed_at is not null`.as('removed'),
      // With those of the photo from which it was moved here (decision record 0178).
      sql<number>`coalesce((select sum(q.sales_count)::integer from photos q
        where q.original_key = p.original_key and q.organization_id = p.organization_id), p.sales_count)`.as(
        'salesCount',
      ),
      't.reason',
      't.contact',
      't.guardian',
      't.hid_first as hiddenFirst',
      't.asked_at as askedAt',
      't.decided_at as decidedAt',
      sql<string | null>`u.first_name || ' ' || u.last_name`.as('decidedBy'),
      't.note',
    ])
    .where('t.organization_id', 'in', [...search.organizationIds])
    .orderBy('t.id', 'desc')
    .limit(search.limit);
  if (search.state !== null) query = query.where('t.state', search.state === 'open' ? '=' : '<>', 'open');
  if (search.before !== null) query = query.where('t.id', '<', search.before);
  if (search.only !== undefined) query = query.where('t.id', '=', search.only);
  return query.execute();
}

/** Open requests, up to 100. */
export async function countOpen(db: Reader, organizationIds: readonly number[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (
      select from takedowns where state = 'open' and organization_id = any(${organizationIds}::bigint[]) limit ${COUNTED}
    ) as waiting`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The organization and those below it. */
export async function listFamily(db: Reader, organizationId: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from organizations
     where deleted_at is null and (id = ${organizationId} or parent_organization_id = ${organizationId})`.execute(db);
  return rows.map(({ id }) => id);
}
