/**
 * Changes consent, and hides and shows photos in the same transaction (decision record 0105). Code that writes tags
 * wraps that in `whileHiding`, which returns the photos that became hidden.
 */
import { recipientsOf } from '#src/features/accounts/accounts.service.ts';
import { ATHLETE_NOT_FOUND, SALES_SHOWN, type Consent } from '#src/features/consent/consent.contract.ts';
import { consentAfter, consentAfterCard, type ConsentBy } from '#src/features/consent/consent.rules.ts';
import * as officeSql from '#src/features/consent/consent-office.sql.ts';
import { soldWithdrawnEmail } from '#src/features/consent/consent.mail.tsx';
import * as consentSql from '#src/features/consent/consent.sql.ts';
import type { PhotoService } from '#src/features/photos/photos.service.ts';
import { PUBLIC, type Writer } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound } from '#src/shared/problem.ts';

export type ConsentDeps = Pick<Platform, 'database' | 'outbox'> & {
  photos: Pick<PhotoService, 'forgetPictures'>;
  origin: SiteOrigin;
};
export type ConsentService = ReturnType<typeof createConsent>;

/** How many photos were hidden, and how many were shown again. */
type Effect = { hidden: number; shown: number };

/**
 * Runs work that may hide or show these photos, and purges the pictures of newly hidden ones from the CDN and every
 * process. Lock no photo before: athletes are locked first, then photos. Photos may be in any order.
 */
export async function whileHiding<T>(
  ctx: ConsentDeps,
  tx: Writer,
  photoIds: readonly number[],
  work: () => Promise<T>,
): Promise<{ result: T; hidden: number[]; shown: number[] }> {
  const before = new Map((await consentSql.listPhotoStates(tx, photoIds)).map((photo) => [photo.id, photo]));
  const result = await work();
  const after = await consentSql.listPhotoStates(tx, photoIds);
  const hidden = after.filter(({ id, isWithheld }) => isWithheld && before.get(id)?.isWithheld === false);
  const shown = after.filter(({ id, isShown }) => isShown && before.get(id)?.isShown === false);
  await ctx.photos.forgetPictures(tx, hidden);
  return { result, hidden: hidden.map(({ id }) => id), shown: shown.map(({ id }) => id) };
}

type ConsentChange = {
  organizationId: number;
  athleteIds: readonly number[];
  consent: Consent;
  by: ConsentBy;
  /** The card with which a family answers. */
  cardId?: number | undefined;
};

type Decided = { id: number; before: Consent; consent: Consent; mustWrite: boolean };

/** The new consent of each athlete, and whether to write it: a family that gives the same answer again ends exceptions. */
async function decide(
  tx: Writer,
  { organizationId, athleteIds, consent, by, cardId }: ConsentChange,
): Promise<Decided[]> {
  const athletes = await consentSql.lockAthletes(tx, organizationId, athleteIds);
  if (athletes.length < new Set(athleteIds).size) throw notFound(ATHLETE_NOT_FOUND);
  if (cardId !== undefined) await consentSql.saveFamilyConsents(tx, { cardId, organizationId, athleteIds, consent });
  if (by === 'member') await consentSql.forgetFamilyConsents(tx, athleteIds);
  const answers = by === 'member' ? [] : await consentSql.listFamilyConsents(tx, athleteIds);
  return athletes.map((athlete) => {
    const families = answersThatCount(answers, athlete.id, by);
    const after = consentAfter({ ...athlete, families }, consent, by);
    const isNewForClub = by !== 'import' || athlete.clubConsent !== consent;
    const mustWrite = after !== athlete.consent || by === 'family' || (athlete.by === 'family' && isNewForClub);
    return { id: athlete.id, before: athlete.consent, consent: after, mustWrite };
  });
}

/** Answers by valid cards; for a file, if there are none, the stricter answers of ended ones (`consentAfterCard`). */
function answersThatCount(
  answers: Awaited<ReturnType<typeof consentSql.listFamilyConsents>>,
  athleteId: number,
  by: ConsentBy,
) {
  const own = answers.filter((each) => each.athleteId === athleteId);
  const valid = own.filter(({ isCardValid }) => isCardValid);
  const counted = valid.length === 0 && by === 'import' ? own.filter(({ consent }) => consent !== 'yes') : valid;
  return counted.map(({ consent }) => consent);
}

/** Asks members whether to refund buyers of photos that are withdrawn now. */
async function notifyOfSold(ctx: ConsentDeps, tx: Writer, organizationId: number, toWrite: readonly Decided[]) {
  const withdrawn = toWrite.filter(({ before, consent }) => consent === 'no' && before !== 'no').map(({ id }) => id);
  if (withdrawn.length === 0) return;
  const limit = SALES_SHOWN;
  const sales = await officeSql.listWithdrawnSales(tx, organizationId, { athleteIds: withdrawn, limit });
  const photos = new Set(sales.flatMap(({ photoIds }) => photoIds)).size;
  if (photos === 0) return;
  const changeKey = `${organizationId}-${withdrawn[0]}-${sales[0]?.orderId}`;
  for (const member of await recipientsOf(tx, organizationId))
    await ctx.outbox.queueEmail(
      tx,
      soldWithdrawnEmail({
        to: member.email,
        brand: { name: member.name, accent: member.accent },
        changeKey,
        photos,
        link: siteUrl(ctx.origin, member.hostLabel, `/${member.path}/orders`),
      }),
    );
}

/**
 * Gives the same answer for these athletes of one organization, in the caller's transaction, which also writes the
 * activity log. The resulting consent may differ (`consentAfter`): of two families the stricter one applies.
 * @returns how many photos changed, and the consent of each athlete
 * @throws not_found when one of them belongs to another organization
 */
export async function changeConsents(
  ctx: ConsentDeps,
  tx: Writer,
  change: ConsentChange,
): Promise<Effect & { consents: ReadonlyMap<number, Consent> }> {
  const all = await decide(tx, change);
  const toWrite = all.filter(({ mustWrite }) => mustWrite);
  const photoIds = await consentSql.listPhotosOf(
    tx,
    toWrite.filter(({ before, consent }) => before !== consent || change.by === 'family').map(({ id }) => id),
  );
  const { hidden, shown } = await whileHiding(ctx, tx, photoIds, () =>
    consentSql.updateConsents(tx, toWrite, { by: change.by, answer: change.consent }),
  );
  await notifyOfSold(ctx, tx, change.organizationId, toWrite);
  const consents = new Map(all.map(({ id, consent }) => [id, consent]));
  return { hidden: hidden.length, shown: shown.length, consents };
}

/** The same for one athlete; also returns its consent. @throws not_found */
export async function changeConsent(
  ctx: ConsentDeps,
  tx: Writer,
  { athleteId, ...change }: Omit<ConsentChange, 'athleteIds'> & { athleteId: number },
): Promise<Effect & { consent: Consent }> {
  const { consents, ...effect } = await changeConsents(ctx, tx, { ...change, athleteIds: [athleteId] });
  return { ...effect, consent: consents.get(athleteId) ?? change.consent };
}

/**
 * Called after cards of these athletes have ended: hides photos that only a card's `yes` had shown
 * (`consentAfterCard`). Locks the athletes.
 */
export async function recallConsents(
  ctx: ConsentDeps,
  tx: Writer,
  { organizationId, athleteIds }: { organizationId: number; athleteIds: readonly number[] },
): Promise<void> {
  const athletes = await consentSql.lockAthletes(tx, organizationId, athleteIds);
  const answers = await consentSql.listFamilyConsents(tx, athleteIds);
  const changes = athletes.flatMap((athlete) => {
    const consent = consentAfterCard({ ...athlete, families: answersThatCount(answers, athlete.id, 'family') });
    return consent === athlete.consent ? [] : [{ id: athlete.id, consent }];
  });
  if (changes.length === 0) return;
  const photoIds = await consentSql.listPhotosOf(
    tx,
    changes.map(({ id }) => id),
  );
  await whileHiding(ctx, tx, photoIds, () => consentSql.updateConsents(tx, changes, { by: 'family' }));
}

/**
 * Whether the card of one of these children, which the caller has opened, may show the photo (athletes specification
 * B.5): what everyone sees of the child, and what only this child's own consent `family` hides. Lists use the same
 * rule: `family_photos` in the database.
 */
export async function familySees(
  ctx: Pick<ConsentDeps, 'database'>,
  athleteIds: readonly number[],
  photo: { photoId: number; galleryId: number },
): Promise<boolean> {
  if (athleteIds.length === 0) return false;
  return ctx.database.read(PUBLIC, (db) => consentSql.familySees(db, athleteIds, photo));
}

export const createConsent = (deps: ConsentDeps) =>
  bind(deps, { whileHiding, changeConsents, changeConsent, recallConsents, familySees });
