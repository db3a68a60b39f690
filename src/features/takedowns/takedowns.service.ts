/**
 * Someone sees a child in a public photo and asks to hide it. If the owners chose so, the photo is hidden immediately. They
 * review it, and hide, keep or delete it; the person who asked gets an answer by email.
 */
import { RECIPIENTS_AT_MOST, recipientsOf } from '#src/features/accounts/accounts.service.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { isChild, type Organization, brandOf } from '#src/features/tenancy/organizations.rules.ts';
import { editedBy, hostLabelOf, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { photoTitle } from '#src/features/photos/photo-title.rules.ts';
import { pictureAddress } from '#src/features/photos/photos.rules.ts';
import type { PictureService } from '#src/features/pictures/pictures.service.ts';
import type { PhotoService } from '#src/features/photos/photos.service.ts';
import { hidesFirst, OUTCOME, takedownsPath } from '#src/features/takedowns/takedowns.rules.ts';
import * as takedownsSql from '#src/features/takedowns/takedowns.sql.ts';
import * as contract from '#src/features/takedowns/takedowns.contract.ts';
import * as emails from '#src/features/takedowns/takedowns.mail.tsx';
import { PUBLIC, tenantScope, type Writer } from '#src/platform/db/db.ts';
import { mayTake } from '#src/platform/limits/rate-limits.ts';
import type { Outbox } from '#src/platform/mail/outbox.ts';
import type { Keys, Platform } from '#src/platform/platform.ts';
import { signValue } from '#src/platform/secrets.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { bind } from '#src/shared/bind.ts';
import { present } from '#src/shared/field-names.ts';
import { pageOf } from '#src/shared/paging.ts';
import { isProblem, notFound, problem } from '#src/shared/problem.ts';
import { DAY_SECONDS, HOUR_SECONDS } from '#src/shared/dates.ts';

type TakedownDeps = Pick<Platform, 'database' | 'clock' | 'limits'> & {
  outbox: Pick<Outbox, 'queueEmail' | 'forgetEmails'>;
  keys: Pick<Keys, 'takedownAskers'>;
  organizations: Pick<OrganizationService, 'byId'>;
  galleries: Pick<GalleryService, 'view'>;
  photos: Pick<PhotoService, 'lockForRequest' | 'newPlace' | 'withhold' | 'release'>;
  pictures: Pick<PictureService, 'purge'>;
  audit: AuditRecorder;
  origin: SiteOrigin;
};
export type TakedownService = ReturnType<typeof createTakedownService>;

type PhotoRef = { galleryId: number; photoId: number };
/** Which emails may be sent, and the link for owners. */
type MayWrite = { asker: boolean; owners: boolean; link: string };
type HeldPhoto = Awaited<ReturnType<PhotoService['lockForRequest']>>;

const FORGETTING = { kind: 'system', why: 'personal data of every tenant is deleted on schedule' } as const;
/** Of one sender. */
const REQUESTS_AN_HOUR = 30;
const REQUESTS_AN_HOUR_PER_PHOTO = 5;
/** In a day. From one asker, so that no one uses up the owners' emails about other requests. */
const EMAILS_TO_OWNERS_PER_ASKER = 5;
const EMAILS_TO_OWNERS = 20;
const EMAILS_TO_ASKERS_PER_SENDER = 20;
const EMAILS_TO_ASKER = 10;

async function organizationOf(ctx: TakedownDeps, id: number): Promise<Organization> {
  const organization = await ctx.organizations.byId(id);
  if (!organization) throw notFound();
  return organization;
}

/** The organization, and all organizations that its editors manage. @throws unauthenticated; not_found for other organizations */
async function ownedBy(ctx: TakedownDeps, caller: Caller, organizationId: number) {
  const own = await editedBy(ctx.organizations, caller, organizationId);
  if (isChild(own)) return { own, family: [own.id] };
  return { own, family: await ctx.database.read(PUBLIC, (db) => takedownsSql.listFamily(db, own.id)) };
}

/** Emails of a new request, in its transaction. */
async function notifyOfRequest(
  ctx: TakedownDeps,
  tx: Writer,
  request: {
    id: number;
    photoId: number;
    hiddenFirst: boolean;
    asked: contract.TakedownRequest;
    about: emails.AboutPhoto;
    owner: Organization;
  },
  may: MayWrite,
): Promise<void> {
  const { id, photoId, hiddenFirst, asked, about, owner } = request;
  const facts = { ...about, id, brand: brandOf(owner), hiddenFirst };
  const titled = { ...facts, photoName: photoTitle(about.photoName, photoId) };
  if (may.asker) await ctx.outbox.queueEmail(tx, emails.requestReceivedEmail({ ...titled, to: asked.contact }));
  if (!may.owners) return;
  const { guardian, reason } = asked;
  const recipients = await recipientsOf(tx, owner.id);
  for (const [recipient, { email: to }] of recipients.entries())
    await ctx.outbox.queueEmail(
      tx,
      emails.requestArrivedEmail({ ...facts, to, guardian, reason, link: may.link, recipient }),
    );
}

/**
 * Locks the photo if a request about it is possible: it is shown, or hidden only until someone's request is answered. Null when
 * this address has already asked; the response is the same, so that no one learns that.
 * @throws not_found for every other photo
 */
async function askable(ctx: TakedownDeps, tx: Writer, photo: PhotoRef, contact: string) {
  const found = await ctx.photos.lockForRequest(tx, photo);
  const isOpen =
    found !== null &&
    (found.isShown || (found.isWithheld && (await takedownsSql.hasOpen(tx, { photoId: photo.photoId }))));
  if (!isOpen) throw notFound();
  return (await takedownsSql.hasOpen(tx, { photoId: photo.photoId, contact })) ? null : found;
}

/**
 * Which emails may be sent: the request counts in any case, but no one's mailbox is flooded (threat 31). Checked only if there
 * is an email to send, because checking uses up the limit.
 */
async function mayWriteAbout(ctx: TakedownDeps, caller: Caller, owner: Organization, contact: string) {
  const owners = [
    {
      bucket: `takedown:emails:owners:${owner.id}:${caller.ip}`,
      limit: EMAILS_TO_OWNERS_PER_ASKER,
      windowSeconds: DAY_SECONDS,
    },
    { bucket: `takedown:emails:owners:${owner.id}`, limit: EMAILS_TO_OWNERS, windowSeconds: DAY_SECONDS },
  ];
  const asker = [
    { bucket: `takedown:emails:ip:${caller.ip}`, limit: EMAILS_TO_ASKERS_PER_SENDER, windowSeconds: DAY_SECONDS },
    { bucket: `takedown:emails:to:${contact.toLowerCase()}`, limit: EMAILS_TO_ASKER, windowSeconds: DAY_SECONDS },
  ];
  return {
    asker: await mayTake(ctx.limits, ...asker),
    owners: await mayTake(ctx.limits, ...owners),
    link: siteUrl(ctx.origin, await hostLabelOf(ctx.organizations, owner), takedownsPath(owner.domainName)),
  };
}

/**
 * Stores the request, and hides the photo if it is hidden before review.
 * @throws not_found when the asker cannot see the photo
 */
async function storeRequest(
  ctx: TakedownDeps,
  tx: Writer,
  caller: Caller,
  request: PhotoRef & {
    owner: Organization;
    galleryName: string;
    shownPhotos: number;
    asked: contract.TakedownRequest;
  },
  may: MayWrite,
): Promise<void> {
  const { galleryId, photoId, owner, asked } = request;
  const photo = await askable(ctx, tx, { galleryId, photoId }, asked.contact);
  if (photo === null) return;
  const stored = { organizationId: owner.id, galleryId, photoId, ...asked };
  const asker = Buffer.from(signValue(ctx.keys.takedownAskers, 'asker', caller.ip), 'base64url');
  const status = await takedownsSql.findAskerStatus(tx, { ...stored, asker });
  const hidFirst = photo.isShown && hidesFirst({ ...status, shownPhotos: request.shownPhotos });
  const id = await takedownsSql.insertTakedown(tx, { ...stored, asker, hidFirst });
  if (hidFirst) await ctx.photos.withhold(tx, photoId);
  await ctx.audit.record(
    tx,
    { actor: caller.actor },
    {
      action: 'takedown.asked',
      organizationId: owner.id,
      object: ['photo', photoId],
      details: { takedown_id: id, gallery_id: galleryId, hidden_first: hidFirst, guardian: asked.guardian },
    },
  );
  const about = { galleryName: request.galleryName, photoName: photo.name };
  const hiddenFirst = hidFirst || photo.isWithheld;
  await notifyOfRequest(ctx, tx, { id, photoId, hiddenFirst, asked, about, owner }, may);
}

/**
 * Applies a decision to the photo, which is locked, and answers the requests that it settles.
 * @throws conflict when it was removed meanwhile
 */
async function carryOut(
  ctx: TakedownDeps,
  tx: Writer,
  { id, galleryId, photoId }: takedownsSql.TakedownRow,
  photo: HeldPhoto,
  settled: takedownsSql.Settled,
): Promise<takedownsSql.TakedownRow[]> {
  if (settled.state === 'kept') {
    if (!photo) throw problem('conflict', contract.PHOTO_IS_GONE);
    const kept = await takedownsSql.settle(tx, { id }, settled);
    if (photo.isWithheld && !(await takedownsSql.hasOpen(tx, { photoId, hidFirst: true })))
      await ctx.photos.release(tx, photoId);
    return kept;
  }
  if (settled.state === 'deleted') await ctx.pictures.purge(tx, { galleryId, photoId });
  else if (photo) await ctx.photos.withhold(tx, photoId);
  else throw problem('conflict', contract.PHOTO_IS_GONE);
  // This also answers everyone else who asked about this photo.
  return takedownsSql.settle(tx, { photoId }, settled);
}

type ListedTakedown = Awaited<ReturnType<typeof takedownsSql.listTakedowns>>[number];

function presentTakedown(row: ListedTakedown): contract.TakedownAnswer {
  const { galleryId, photoId, pixelVersion, displayWatermark } = row;
  const hasPicture = !row.removed && row.photoStatus === 'ready';
  const address = pictureAddress({ galleryId, id: photoId, pixelVersion, displayWatermark });
  const imageUrl = hasPicture ? `${address}&adminview=true` : null;
  return present(contract.takedownAnswer, {
    ...row,
    gallery: { id: galleryId, name: row.galleryName, affiliate: row.affiliate },
    photo: present(contract.takedownAnswer.shape.photo, { ...row, id: photoId, name: row.photoName, imageUrl }),
  });
}

async function answerFor(ctx: TakedownDeps, family: readonly number[], id: number): Promise<contract.TakedownAnswer> {
  const [row] = await ctx.database.read(tenantScope(...family), (db) =>
    takedownsSql.listTakedowns(db, { organizationIds: family, state: null, before: null, limit: 1, only: id }),
  );
  if (!row) throw notFound(contract.REQUEST_NOT_FOUND);
  return presentTakedown(row);
}

/**
 * Someone asks to hide a photo that they see. Asking again is the same request with the same answer. If it moved to another
 * gallery after the form was opened, the request is about the photo there.
 * @throws not_found for photos that the asker cannot see; too_many
 */
export async function requestToHide(
  ctx: TakedownDeps,
  caller: Caller,
  galleryId: number,
  photoId: number,
  request: contract.TakedownRequest,
): Promise<void> {
  await ctx.limits.take({ bucket: `takedown:ip:${caller.ip}`, limit: REQUESTS_AN_HOUR, windowSeconds: HOUR_SECONDS });
  await ctx.limits.take({
    bucket: `takedown:photo:${photoId}:${caller.ip}`,
    limit: REQUESTS_AN_HOUR_PER_PHOTO,
    windowSeconds: HOUR_SECONDS,
  });
  const place = { galleryId, photoId };
  await requestAt(ctx, caller, place, request).catch(async (error: unknown) => {
    if (!isProblem(error) || error.code !== 'not_found') throw error;
    await requestAt(ctx, caller, await newPlaceOf(ctx, caller, place), request);
  });
}

/** A locked gallery does not say what moved out of it. @throws not_found */
async function newPlaceOf(ctx: TakedownDeps, caller: Caller, place: PhotoRef): Promise<PhotoRef> {
  const { gallery, locked } = await ctx.galleries.view(caller, place.galleryId);
  if (locked) throw notFound();
  return ctx.photos.newPlace(caller, { ...place, organizationId: gallery.organizationId });
}

async function requestAt(
  ctx: TakedownDeps,
  caller: Caller,
  { galleryId, photoId }: PhotoRef,
  request: contract.TakedownRequest,
): Promise<void> {
  const { gallery, locked } = await ctx.galleries.view(caller, galleryId);
  if (locked || !gallery.active) throw notFound();
  const owner = await organizationOf(ctx, gallery.organizationId);
  const scope = tenantScope(owner.id);
  if (!(await ctx.database.write(scope, (tx) => askable(ctx, tx, { galleryId, photoId }, request.contact)))) return;
  // Outside the transaction: while it waits for the gallery's order it must not need a second connection.
  const may = await mayWriteAbout(ctx, caller, owner, request.contact);
  await ctx.database.write(scope, (tx) =>
    storeRequest(
      ctx,
      tx,
      caller,
      { galleryId, photoId, owner, galleryName: gallery.name, shownPhotos: gallery.publicPhotoCount, asked: request },
      may,
    ),
  );
}

/**
 * Requests of an organization, and for a parent those of its children, too.
 * @throws unauthenticated; not_found for other organizations
 */
export async function list(
  ctx: TakedownDeps,
  caller: Caller,
  organizationId: number,
  query: contract.TakedownsQuery = {},
): Promise<contract.TakedownsPage> {
  const { own, family } = await ownedBy(ctx, caller, organizationId);
  const { limit = contract.TAKEDOWNS_PER_PAGE } = query;
  return ctx.database.read(tenantScope(...family), async (db) => {
    const rows = await takedownsSql.listTakedowns(db, {
      organizationIds: family,
      state: query.state ?? null,
      before: query.after ?? null,
      limit: limit + 1,
    });
    const { shown, next } = pageOf(rows, limit);
    return {
      takedowns: shown.map(presentTakedown),
      next,
      open: await takedownsSql.countOpen(db, family),
      mode: await takedownsSql.findMode(db, own.id),
    };
  });
}

/** Open requests for someone who may edit the organization, up to 100. @throws as `list` */
export async function countOpen(ctx: TakedownDeps, caller: Caller, organizationId: number): Promise<number> {
  const { family } = await ownedBy(ctx, caller, organizationId);
  return ctx.database.read(tenantScope(...family), (db) => takedownsSql.countOpen(db, family));
}

/**
 * Hides, keeps or deletes the photo, once, and answers the person who asked. Hiding and deleting answer everyone who asked
 * about this photo.
 * @throws unauthenticated; not_found; conflict when it was already decided
 */
export async function decide(
  ctx: TakedownDeps,
  caller: Caller,
  organizationId: number,
  takedownId: number,
  { decision, note }: contract.DecisionBody,
): Promise<contract.TakedownAnswer> {
  const { family } = await ownedBy(ctx, caller, organizationId);
  const state = OUTCOME[decision];
  const decidedBy = caller.actor.kind === 'user' ? caller.actor.userId : null;
  const found = await answerFor(ctx, family, takedownId);
  const owner = await organizationOf(ctx, found.organization_id);
  await ctx.database.write(tenantScope(owner.id), async (tx) => {
    // Locks the photo first, like requests do, to avoid a deadlock.
    const photo = await ctx.photos.lockForRequest(tx, { galleryId: found.gallery.id, photoId: found.photo.id });
    const request = await takedownsSql.lockTakedown(tx, takedownId, family);
    if (!request) throw notFound(contract.REQUEST_NOT_FOUND);
    if (request.state !== 'open')
      throw problem('conflict', contract.ALREADY_DECIDED, { extra: { state: request.state } });
    const settled = await carryOut(ctx, tx, request, photo, { state, decidedBy, note, at: ctx.clock.now() });
    for (const each of settled) {
      await ctx.audit.record(tx, caller, {
        action: `takedown.${state}`,
        organizationId: owner.id,
        object: ['photo', each.photoId],
        details: { takedown_id: each.id, gallery_id: each.galleryId },
      });
      if (each.contact !== null)
        await ctx.outbox.queueEmail(
          tx,
          emails.requestDecidedEmail({
            id: each.id,
            to: each.contact,
            brand: brandOf(owner),
            galleryName: found.gallery.name,
            photoName: photoTitle(found.photo.name, each.photoId),
            state,
            note,
            wasSold: found.photo.sales_count > 0,
          }),
          decidedBy === null ? {} : { onBehalfOf: decidedBy },
        );
    }
  });
  return answerFor(ctx, family, takedownId);
}

/**
 * Sets whether photos are hidden as soon as someone asks, or after a review.
 * @throws unauthenticated; not_found for other organizations
 */
export async function setMode(ctx: TakedownDeps, caller: Caller, organizationId: number, mode: contract.TakedownMode) {
  const { own } = await ownedBy(ctx, caller, organizationId);
  await ctx.database.write(tenantScope(own.id), async (tx) => {
    const before = await takedownsSql.findMode(tx, own.id);
    await takedownsSql.saveMode(tx, own.id, mode);
    await ctx.audit.record(tx, caller, {
      action: 'takedown.mode_changed',
      organizationId: own.id,
      object: ['organization', own.id],
      details: { before, after: mode },
    });
  });
  return mode;
}

/** Deletes personal data of requests, 90 days after the decision; returns the number of requests. */
export async function forgetOld(ctx: TakedownDeps): Promise<number> {
  const before = new Date(ctx.clock.now().getTime() - contract.FORGET_AFTER_DAYS * DAY_SECONDS * 1_000);
  return ctx.database.write(FORGETTING, async (tx) => {
    const ids = await takedownsSql.forgetBefore(tx, before);
    const keysOf = (id: number) => [...emails.emailsOf(id), ...emails.ownersEmailsOf(id, RECIPIENTS_AT_MOST)];
    await ctx.outbox.forgetEmails(tx, ids.flatMap(keysOf));
    return ids.length;
  });
}

export const createTakedownService = (deps: TakedownDeps) =>
  bind(deps, { requestToHide, list, countOpen, decide, setMode, forgetOld });
