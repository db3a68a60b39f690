/**
 * Tables of this module: photo_withholdings, photo_exceptions, athlete_settings, family_consents, and the consent
 * columns of athletes. Triggers update photos in the transaction of the change: docs/architecture.md lists their
 * functions, each with its newest migration.
 */
import { sql } from 'kysely';
import type { Consent } from '#src/features/consent/consent.contract.ts';
import type { ConsentBy, ConsentStatus } from '#src/features/consent/consent.rules.ts';
import { IS_PUBLIC } from '#src/features/photos/photos.rules.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

type PhotoState = {
  id: number;
  galleryId: number;
  organizationId: number;
  isWithheld: boolean;
  isShown: boolean;
};

/** The state of these photos, in no order. */
export async function listPhotoStates(db: Reader, photoIds: readonly number[]): Promise<PhotoState[]> {
  if (photoIds.length === 0) return [];
  const { rows } = await sql<PhotoState>`
    select p.id, p.gallery_id as "galleryId", p.organization_id as "organizationId", p.withheld_at is not null as "isWithheld",
           ${sql.raw(IS_PUBLIC)} as "isShown"
      from photos p where p.id = any (${[...photoIds]}::bigint[]) and p.removed_at is null`.execute(db);
  return rows;
}

/** The photos of these athletes, also by a bare number of theirs. */
export async function listPhotosOf(db: Reader, athleteIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct photo_id as id from photo_children
     where athlete_id = any (${[...athleteIds]}::bigint[])`.execute(db);
  return rows.map(({ id }) => id);
}

type LockedAthlete = Omit<ConsentStatus, 'families'> & { id: number };

/** Locks these athletes of the organization in the order of their ids. */
export async function lockAthletes(
  tx: Writer,
  organizationId: number,
  athleteIds: readonly number[],
): Promise<LockedAthlete[]> {
  const { rows } = await sql<LockedAthlete>`
    select id, consent, consent_by as by, club_consent as "clubConsent" from athletes
     where id = any (${[...athleteIds]}::bigint[]) and organization_id = ${organizationId} and merged_into is null
     order by id for no key update`.execute(tx);
  return rows;
}

/** Answers of families, by their cards. */
export async function listFamilyConsents(db: Reader, athleteIds: readonly number[]) {
  const { rows } = await sql<{ athleteId: number; consent: Exclude<Consent, 'unknown'>; isCardValid: boolean }>`
    select f.athlete_id as "athleteId", f.consent, c.replaced_at is null and c.refused_at is null as "isCardValid"
      from family_consents f join athlete_cards c on c.id = f.card_id
     where f.athlete_id = any (${[...athleteIds]}::bigint[])
     order by f.athlete_id, f.card_id`.execute(db);
  return rows;
}

/** Stores a family's answer by its card. */
export async function saveFamilyConsents(
  tx: Writer,
  answer: { cardId: number; organizationId: number; athleteIds: readonly number[]; consent: Consent },
): Promise<void> {
  await sql`
    insert into family_consents (card_id, athlete_id, organization_id, consent)
    select ${answer.cardId}, id, ${answer.organizationId}, ${answer.consent} from unnest(${[...answer.athleteIds]}::bigint[]) as id
    on conflict (card_id, athlete_id) do update set consent = excluded.consent, at = now()`.execute(tx);
}

/** Deletes the families' answers, because a member has decided. */
export async function forgetFamilyConsents(tx: Writer, athleteIds: readonly number[]): Promise<void> {
  await sql`delete from family_consents where athlete_id = any (${[...athleteIds]}::bigint[])`.execute(tx);
}

/**
 * Sets the consent; a trigger hides and shows photos. If a child's family has answered, a file's value is stored as the
 * club's own consent.
 */
export async function updateConsents(
  tx: Writer,
  changes: readonly { id: number; consent: Consent }[],
  { by, answer = null }: { by: ConsentBy; answer?: Consent | null },
): Promise<void> {
  const ids = changes.map(({ id }) => id);
  // The ids twice: `any` makes the planner use the index, where the join would read all athletes.
  await sql`
    update athletes a
       set consent = change.consent,
           consent_at = case when ${by} = 'import' and a.consent = change.consent then a.consent_at else clock_timestamp() end,
           consent_by = case when ${by} = 'import' and a.consent_by in ('family', 'member') then a.consent_by else ${by} end,
           club_consent = case when ${by} = 'import' and a.consent_by = 'family' then ${answer}::text
                               when ${by} <> 'family' then null
                               when a.consent_by is distinct from 'family' then a.consent else a.club_consent end
      from unnest(${ids}::bigint[], ${changes.map(({ consent }) => consent)}::text[]) as change (id, consent)
     where a.id = change.id and a.id = any (${ids}::bigint[])`.execute(tx);
}

/** Whether the card of one of these children may show the photo. */
export async function familySees(
  db: Reader,
  athleteIds: readonly number[],
  photo: { photoId: number; galleryId: number },
): Promise<boolean> {
  const { rows } = await sql`
    select from family_photos(${[...athleteIds]}::bigint[]) as seen
     where seen.photo_id = ${photo.photoId} and seen.gallery_id = ${photo.galleryId} limit 1`.execute(db);
  return rows.length > 0;
}

/**
 * How many photos of each of these children are not published because of the child's consent; children without any are
 * missing.
 */
export async function countUnpublished(
  db: Reader,
  athleteIds: readonly number[],
): Promise<{ athleteId: number; photos: number }[]> {
  const { rows } = await sql<{ athleteId: number; photos: number }>`
    select athlete_id as "athleteId", photos from unpublished_photos(${[...athleteIds]}::bigint[])`.execute(db);
  return rows;
}
