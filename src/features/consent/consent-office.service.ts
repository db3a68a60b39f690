/**
 * Decisions of members about consent: who finds children, what `unknown` means, that held photos show no one who must
 * not be published, and exceptions for single photos. Each is in the activity log, without a name.
 */
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import * as officeSql from '#src/features/consent/consent-office.sql.ts';
import * as words from '#src/features/consent/consent.contract.ts';
import { whileHiding, type ConsentDeps } from '#src/features/consent/consent.service.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { requireUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import { editedByPerson, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { tenantOf, tenantScope, type Reader, type Writer } from '#src/platform/db/db.ts';
import { bind } from '#src/shared/bind.ts';
import { present } from '#src/shared/field-names.ts';
import { toDollars } from '#src/shared/money.ts';
import { fieldProblem, notFound, problem, type Problem } from '#src/shared/problem.ts';

type ConsentOfficeDeps = ConsentDeps & {
  organizations: Pick<OrganizationService, 'byId'>;
  galleries: Pick<GalleryService, 'editable' | 'ownGallery'>;
  audit: AuditRecorder;
};
export type ConsentOffice = ReturnType<typeof createConsentOffice>;

async function settingsIn(db: Reader, organizationId: number): Promise<words.ConsentSettings> {
  return present(words.settingsAnswer, await officeSql.findSettings(db, organizationId));
}

/** @throws unauthenticated; not_found for other organizations */
export async function settings(ctx: ConsentOfficeDeps, caller: Caller, organizationId: number) {
  const { id } = await editedByPerson(ctx.organizations, caller, organizationId);
  return ctx.database.read(tenantScope(id), (db) => settingsIn(db, id));
}

/** The number of children to confirm goes with the refusal. */
const toConfirm = (message: string, notPublished: number): Problem =>
  problem('conflict', message, { errors: { not_published: [message] }, extra: { not_published: notPublished } });

/** The caller must confirm how many children that concerns. @throws invalid without a number; conflict if it has changed */
function requireConfirmed(given: number | undefined, notPublished: number): void {
  if (given === undefined) throw fieldProblem({ not_published: [words.HOLD_BOX_REQUIRED] });
  if (given !== notPublished) throw toConfirm(words.HOLD_NUMBER_CHANGED, notPublished);
}

/**
 * Changes the given settings; photos of children who were not asked are updated immediately.
 * @throws unauthenticated; not_found; invalid or conflict when the hold is to end and the number of children was not
 * confirmed
 */
export async function changeSettings(
  ctx: ConsentOfficeDeps,
  caller: Caller,
  organizationId: number,
  { settings: given, not_published: confirmed }: words.SettingsBody,
) {
  const { id } = await editedByPerson(ctx.organizations, caller, organizationId);
  return ctx.database.write(tenantScope(id), async (tx) => {
    const before = await officeSql.findSettings(tx, id);
    if (given.hold_new_photos === false && before.holdNewPhotos && before.notPublished > 0)
      requireConfirmed(confirmed, before.notPublished);
    const after = {
      mode: given.mode ?? before.mode,
      unknownConsent: given.unknown_consent ?? before.unknownConsent,
      consentYearly: given.consent_yearly ?? before.consentYearly,
      holdNewPhotos: given.hold_new_photos ?? before.holdNewPhotos,
    };
    const photoIds = after.unknownConsent === before.unknownConsent ? [] : await officeSql.listPhotosOfUnknown(tx, id);
    const { hidden, shown } = await whileHiding(ctx, tx, photoIds, () => officeSql.saveSettings(tx, id, after));
    const effect = { hidden: hidden.length, shown: shown.length };
    await ctx.audit.record(tx, caller, {
      action: 'roster.settings_changed',
      organizationId: id,
      object: ['organization', id],
      details: { ...given, ...(confirmed === undefined ? {} : { not_published: confirmed }), ...effect },
    });
    return { ...(await settingsIn(tx, id)), ...effect };
  });
}

/** The held photos of a gallery. @throws unauthenticated; not_found */
export async function hold(ctx: ConsentOfficeDeps, caller: Caller, galleryId: number): Promise<words.HoldAnswer> {
  requireUser(caller.actor);
  const gallery = await ctx.galleries.ownGallery(caller, galleryId);
  const found = await ctx.database.read(tenantOf(gallery), (db) => officeSql.findHold(db, gallery));
  const { children, photos, through } = found;
  return { athletes: children, photos, through, text: photos === 0 ? null : words.holdText(found) };
}

/**
 * "None of them is in these 40": photos that came later stay held. If all children may be published by now, no one has
 * checked these photos: they are shown, but are held again as soon as a child must not be published.
 * @throws unauthenticated; not_found; forbidden in an inactive gallery
 */
export async function noneOfThem(ctx: ConsentOfficeDeps, caller: Caller, galleryId: number, through: string) {
  const { userId } = requireUser(caller.actor);
  const gallery = await ctx.galleries.editable(caller, galleryId);
  const by = { galleryId, organizationId: gallery.organizationId, userId };
  return ctx.database.write(tenantOf(gallery), async (tx) => {
    const held = await officeSql.lockHeld(tx, gallery, through);
    if (held.length === 0) return { released: 0, shown: 0 };
    const { children } = await officeSql.findHold(tx, gallery);
    const { shown } = await whileHiding(ctx, tx, held, async () => {
      if (children > 0) await officeSql.noteReleased(tx, by, held);
      await officeSql.endHolds(tx, held);
    });
    await ctx.audit.record(tx, caller, {
      action: 'gallery.hold_ended',
      organizationId: gallery.organizationId,
      object: ['gallery', galleryId],
      details: { photos: held.length, athletes: children },
    });
    return { released: held.length, shown: shown.length };
  });
}

/**
 * Runs `work`, which changes the teams in play of a gallery; a trigger holds its existing photos (function
 * `follow_gallery_teams`).
 * @throws conflict, with `not_published`, if new photos would no longer be held and no one confirmed how many children
 * that concerns
 */
export async function changeTeams(
  ctx: ConsentOfficeDeps,
  tx: Writer,
  caller: Caller,
  {
    gallery,
    confirmed,
    work,
  }: { gallery: { id: number; organizationId: number }; confirmed: number | undefined; work: () => Promise<void> },
): Promise<void> {
  const { id, organizationId } = gallery;
  const before = await officeSql.findHold(tx, gallery);
  const { hidden } = await whileHiding(ctx, tx, await officeSql.listShown(tx, gallery), work);
  const after = await officeSql.findHold(tx, gallery);
  const { holdNewPhotos } = await officeSql.findSettings(tx, organizationId);
  if (holdNewPhotos && before.children > 0 && after.children === 0 && confirmed !== before.children)
    throw toConfirm(confirmed === undefined ? words.HOLD_BOX_REQUIRED : words.HOLD_NUMBER_CHANGED, before.children);
  await ctx.audit.record(tx, caller, {
    action: 'gallery.teams_chosen',
    organizationId,
    object: ['gallery', id],
    details: { teams: after.teams, athletes: after.children, before: before.children, hidden: hidden.length },
  });
}

type PhotoRef = { galleryId: number; photoId: number };

async function noteException(
  ctx: ConsentOfficeDeps,
  tx: Writer,
  caller: Caller,
  action: string,
  organizationId: number,
  photo: PhotoRef,
) {
  await ctx.audit.record(tx, caller, {
    action,
    organizationId,
    object: ['photo', photo.photoId],
    details: { gallery_id: photo.galleryId },
  });
}

/**
 * Shows one photo although a consent hides it. The reason may name a child, so it is stored with the exception and in
 * no log.
 * @throws unauthenticated; not_found; forbidden in an inactive gallery; conflict if no consent hides the photo
 */
export async function makeException(ctx: ConsentOfficeDeps, caller: Caller, photo: PhotoRef, reason: string) {
  const { userId } = requireUser(caller.actor);
  const { organizationId } = await ctx.galleries.editable(caller, photo.galleryId);
  return ctx.database.write(tenantOf({ organizationId }), async (tx) => {
    const athleteIds = await officeSql.listHidingChildren(tx, photo);
    if (athleteIds === null) throw notFound(words.PHOTO_NOT_FOUND);
    if (athleteIds.length === 0) throw problem('conflict', words.NOT_HIDDEN_BY_CONSENT);
    const { shown } = await whileHiding(ctx, tx, [photo.photoId], () =>
      officeSql.insertExceptions(tx, { photoId: photo.photoId, organizationId, athleteIds, reason, userId }),
    );
    await noteException(ctx, tx, caller, 'photo.shown_nevertheless', organizationId, photo);
    return { shown: shown.length > 0 };
  });
}

/** Ends an exception. @throws unauthenticated; not_found, also without an exception; forbidden in an inactive gallery */
export async function endException(ctx: ConsentOfficeDeps, caller: Caller, photo: PhotoRef): Promise<void> {
  requireUser(caller.actor);
  const { organizationId } = await ctx.galleries.editable(caller, photo.galleryId);
  await ctx.database.write(tenantOf({ organizationId }), async (tx) => {
    if ((await officeSql.listHidingChildren(tx, photo)) === null) throw notFound(words.PHOTO_NOT_FOUND);
    const { result } = await whileHiding(ctx, tx, [photo.photoId], () => officeSql.deleteExceptions(tx, photo.photoId));
    if (result === 0) throw notFound(words.PHOTO_NOT_FOUND);
    await noteException(ctx, tx, caller, 'photo.exception_ended', organizationId, photo);
  });
}

/** Sold photos that their buyers can no longer open, for refunds; the newest hundred. @throws unauthenticated; not_found */
export async function withdrawnSales(
  ctx: ConsentOfficeDeps,
  caller: Caller,
  organizationId: number,
): Promise<words.WithdrawnSales> {
  const { id } = await editedByPerson(ctx.organizations, caller, organizationId);
  const rows = await ctx.database.read(tenantScope(id), (db) =>
    officeSql.listWithdrawnSales(db, id, { limit: words.SALES_SHOWN }),
  );
  return {
    sales: rows.map((row) => ({
      order_id: row.orderId,
      photo_id: row.photoId,
      gallery_id: row.galleryId,
      pass: row.pass,
      photos: row.photoIds.length,
      price: toDollars(row.priceCents),
      sold_at: row.soldAt.toISOString(),
    })),
  };
}

export const createConsentOffice = (deps: ConsentOfficeDeps) =>
  bind(deps, { settings, changeSettings, hold, noneOfThem, changeTeams, makeException, endException, withdrawnSales });
