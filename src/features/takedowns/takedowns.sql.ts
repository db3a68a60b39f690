/** Tables of this module: takedowns, takedown_settings. */
import { sql } from 'kysely';
import type { TakedownMode, TakedownState } from '#src/features/takedowns/takedowns.contract.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

export type NewTakedown = {
  organizationId: number;
  galleryId: number;
  photoId: number;
  hidFirst: boolean;
  guardian: boolean;
  reason: string;
  contact: string;
  asker: Buffer;
};

/** Returns the id. The gallery's order must be locked, so that no one asks the same meanwhile. */
export async function insertTakedown(tx: Writer, asked: NewTakedown): Promise<number> {
  const { id } = await tx
    .insertInto('takedowns')
    .values({
      organization_id: asked.organizationId,
      gallery_id: asked.galleryId,
      photo_id: asked.photoId,
      hid_first: asked.hidFirst,
      guardian: asked.guardian,
      reason: asked.reason,
      contact: asked.contact,
      asker: asked.asker,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Whether someone with this address waits for an answer about the photo. */
export async function isAsked(db: Reader, photoId: number, contact: string): Promise<boolean> {
  const row = await db
    .selectFrom('takedowns')
    .select('id')
    .where('photo_id', '=', photoId)
    .where('contact', '=', contact)
    .where('state', '=', 'open')
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether a request about the photo waits for its answer. */
export async function isWaiting(db: Reader, photoId: number): Promise<boolean> {
  const row = await db
    .selectFrom('takedowns')
    .select('id')
    .where('photo_id', '=', photoId)
    .where('state', '=', 'open')
    .executeTakeFirst();
  return row !== undefined;
}

export type Standing = { mode: TakedownMode; hiddenOfAsker: number; hiddenOfGallery: number; wasKept: boolean };

/** What decides whether the next request of an asker hides at once. An asker is one address, or one sender. */
export async function findAskerStatus(
  db: Reader,
  asked: Pick<NewTakedown, 'organizationId' | 'galleryId' | 'photoId' | 'contact' | 'asker'>,
): Promise<Standing> {
  const { rows } = await sql<Standing>`
    select coalesce((select mode from takedown_settings where organization_id = ${asked.organizationId}), 'hide_first') as mode,
           (count(*) filter (where contact = ${asked.contact} or asker = ${asked.asker}))::integer as "hiddenOfAsker",
           count(*)::integer as "hiddenOfGallery",
           exists (select from takedowns where photo_id = ${asked.photoId} and state = 'kept') as "wasKept"
      from takedowns
     where gallery_id = ${asked.galleryId} and state = 'open' and hid_first`.execute(db);
  return rows[0] as Standing;
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

export type TakedownRow = {
  id: number;
  organizationId: number;
  galleryId: number;
  photoId: number;
  state: TakedownState;
  hidFirst: boolean;
  contact: string | null;
};

const ROW = [
  'id',
  'organization_id as organizationId',
  'gallery_id as galleryId',
  'photo_id as photoId',
  'state',
  'hid_first as hidFirst',
  'contact',
] as const;

/** The request of one of these organizations; no one else can decide it until the transaction ends. */
export async function lockTakedown(
  tx: Writer,
  id: number,
  organizationIds: readonly number[],
): Promise<TakedownRow | null> {
  const row = await tx
    .selectFrom('takedowns')
    .select(ROW)
    .where('id', '=', id)
    .where('organization_id', 'in', [...organizationIds])
    .forUpdate()
    .executeTakeFirst();
  return (row as TakedownRow | undefined) ?? null;
}

export type Settled = { state: TakedownState; decidedBy: number | null; note: string; at: Date };

/** Settles one request, or all open ones of a photo; returns those that were settled. */
export async function settle(
  tx: Writer,
  which: { id: number } | { photoId: number },
  { state, decidedBy, note, at }: Settled,
): Promise<TakedownRow[]> {
  const rows = await tx
    .updateTable('takedowns')
    .set({ state, decided_by: decidedBy, note, decided_at: at })
    .where('id' in which ? 'id' : 'photo_id', '=', 'id' in which ? which.id : which.photoId)
    .where('state', '=', 'open')
    .returning(ROW)
    .execute();
  return rows as TakedownRow[];
}

/** Whether the photo is hidden for the sake of a request that no one has answered yet. */
export async function isStillAsked(db: Reader, photoId: number): Promise<boolean> {
  const row = await db
    .selectFrom('takedowns')
    .select('id')
    .where('photo_id', '=', photoId)
    .where('state', '=', 'open')
    .where('hid_first', '=', true)
    .executeTakeFirst();
  return row !== undefined;
}

/** Takes away what people said of themselves, where the decision is older than that; returns of which requests. */
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
