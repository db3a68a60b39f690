/**
 * Owners create, change and delete galleries. A free organization has one active gallery at a time, also with simultaneous
 * requests. A gallery's contribute key is created with it; its password is stored encrypted, because owners pass it on to parents.
 */
import { isPlatformAdmin, requireUserId, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import { giveLink } from '#src/features/galleries/contribute-keys.service.ts';
import * as words from '#src/features/galleries/galleries.contract.ts';
import type { GalleryChanges, NewGallery, SeenValues } from '#src/features/galleries/galleries.contract.ts';
import type { GalleryAccess } from '#src/features/galleries/gallery-access.service.ts';
import {
  fieldsChangedSince,
  NO_SECRETS,
  presentGallery,
  showsFirstGoal,
  type Gallery,
} from '#src/features/galleries/galleries.rules.ts';
import * as galleriesSql from '#src/features/galleries/galleries.sql.ts';
import * as galleryWritesSql from '#src/features/galleries/gallery-writes.sql.ts';
import type { OfferReading } from '#src/features/offers/offer-reading.service.ts';
import { mayHaveAnotherGallery } from '#src/features/tenancy/plans.rules.ts';

import { editedBy, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { cdnTags } from '#src/platform/cdn/cdn.ts';
import { tenantScope, type Writer } from '#src/platform/db/db.ts';
import type { Keys, Platform } from '#src/platform/platform.ts';
import { openText, sealText, signValue } from '#src/platform/secrets.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound, problem, fieldProblem } from '#src/shared/problem.ts';

type GalleryEditingDeps = Pick<Platform, 'database' | 'cdn'> & {
  organizations: Pick<OrganizationService, 'byId'>;
  audit: AuditRecorder;
  keys: Pick<Keys, 'galleryPasswords' | 'contributeKeys'>;
  access: GalleryAccess;
  offers: Pick<OfferReading, 'refuseForeign'>;
};

type Plan = { freeTier: boolean };

type Recorded = { id: number; organizationId: number; name: string };

/** `saysTheSame`: the form that created it earlier had the same content. */
type CreatedGallery = { galleryId: number; isNew: boolean; isSameContent: boolean };

/** In the inserting transaction: locks the organization's row, so that simultaneous ones wait (rule 27). */
async function lockedPlan(tx: Writer, organizationId: number): Promise<Plan> {
  const plan = await galleryWritesSql.lockPlan(tx, organizationId);
  if (!plan) throw notFound();
  return plan;
}

async function refuseBeyondPlan(tx: Writer, organizationId: number, plan: Plan): Promise<void> {
  if (!plan.freeTier) return;
  const active = await galleryWritesSql.countActive(tx, organizationId, 1);
  if (!mayHaveAnotherGallery(plan.freeTier, active)) throw problem('forbidden', words.UPGRADE_FOR_MORE_GALLERIES);
}

/** Within the limits of its plan, like a new gallery (rule 45). */
async function bringBack(ctx: GalleryEditingDeps, tx: Writer, caller: Caller, gallery: Gallery): Promise<void> {
  await refuseBeyondPlan(tx, gallery.organizationId, await lockedPlan(tx, gallery.organizationId));
  await record(ctx, tx, caller, gallery, 'gallery.brought_back');
}

async function record(ctx: GalleryEditingDeps, tx: Writer, caller: Caller, gallery: Recorded, action: string) {
  await ctx.audit.record(tx, caller, {
    action,
    organizationId: gallery.organizationId,
    object: ['gallery', gallery.id],
    details: { name: gallery.name },
  });
}

/** Logs what platform admins do to galleries; owners' own work is not logged. */
async function recordOfAdmin(ctx: GalleryEditingDeps, tx: Writer, caller: Caller, gallery: Recorded, action: string) {
  if (caller.actor.kind === 'user' && isPlatformAdmin(caller.actor)) await record(ctx, tx, caller, gallery, action);
}

function wordOf(ctx: GalleryEditingDeps, sealed: Buffer | null) {
  return sealed === null ? null : openText(ctx.keys.galleryPasswords, sealed);
}

/** Refuses to overwrite changes that the caller has not seen. The row is locked. */
async function refuseUnseen(
  ctx: GalleryEditingDeps,
  tx: Writer,
  galleryId: number,
  sealed: Buffer | null,
  seen: SeenValues,
): Promise<void> {
  if (Object.keys(seen).length === 0) return;
  const stored = await galleriesSql.findGallery(tx, galleryId);
  if (!stored) throw notFound();
  const gallery = presentGallery({ gallery: stored, editor: true }, { ...NO_SECRETS, password: wordOf(ctx, sealed) });
  const fields = fieldsChangedSince(seen, gallery);
  if (fields.length === 0) return;
  const errors = Object.fromEntries(fields.map((field) => [field, [words.changedMeanwhile(field)]]));
  const current = Object.fromEntries(fields.map((field) => [field, gallery[field] ?? null]));
  throw problem('conflict', words.GALLERY_CHANGED_MEANWHILE, { errors, extra: { gallery: current } });
}

/** The new password, encrypted; null if it stays. */
async function changedPassword(
  ctx: GalleryEditingDeps,
  tx: Writer,
  gallery: Gallery,
  changes: GalleryChanges,
  seen: SeenValues,
): Promise<Buffer | null> {
  const sealed = await galleryWritesSql.lockSealedPassword(tx, gallery.id);
  await refuseUnseen(ctx, tx, gallery.id, sealed, seen);
  const given = changes.password ?? '';
  if (given === '') {
    const isRequired = changes.password_required ?? gallery.passwordRequired;
    if (isRequired && sealed === null) throw fieldProblem({ password: [words.GALLERY_PASSWORD_REQUIRED] });
    return null;
  }
  if (wordOf(ctx, sealed) === given) return null;
  return sealText(ctx.keys.galleryPasswords, given);
}

/** Accepts own price sheets, and those that the parent shares. @throws invalid for any other */
async function refuseForeignSheet(
  ctx: GalleryEditingDeps,
  tx: Writer,
  organizationId: number,
  { price_sheet_id: sheetId }: Pick<GalleryChanges, 'price_sheet_id'>,
): Promise<void> {
  if (sheetId === undefined || sheetId === null) return;
  const owner = await ctx.organizations.byId(organizationId);
  await ctx.offers.refuseForeign(tx, { id: organizationId, parentId: owner?.parentOrganizationId ?? null }, sheetId);
}

/**
 * Creates a gallery with its contribute key in the transaction of a caller who has checked the rights.
 * @throws forbidden "Please Upgrade …"
 */
export async function createWithin(
  ctx: GalleryEditingDeps,
  tx: Writer,
  owner: { id: number; name: string },
  input: NewGallery,
  clientKey: string | null = null,
): Promise<CreatedGallery> {
  const password = input.password ?? '';
  const columns = {
    ...galleryColumns({ ...input, photos_by: input.photos_by ?? owner.name, display_goal: showsFirstGoal(0, input) }),
    name: input.name,
    price_cents: input.price_per_photo,
    ...(password === '' ? {} : { password_encrypted: sealText(ctx.keys.galleryPasswords, password) }),
  };
  const plan = await lockedPlan(tx, owner.id);
  // Behind the lock, so that two simultaneous submits of a form create one gallery.
  const contentMac = Buffer.from(
    signValue(ctx.keys.galleryPasswords, 'gallery form', JSON.stringify(input)),
    'base64url',
  );
  const before = clientKey === null ? null : await galleryWritesSql.findGalleryOfKey(tx, owner.id, clientKey);
  if (before !== null)
    return { galleryId: before.galleryId, isNew: false, isSameContent: before.contentMac?.equals(contentMac) ?? true };
  await refuseBeyondPlan(tx, owner.id, plan);
  await refuseForeignSheet(ctx, tx, owner.id, input);
  const galleryId = await galleryWritesSql.insertGallery(tx, owner.id, columns);
  if (clientKey !== null)
    await galleryWritesSql.insertKey(tx, {
      organization_id: owner.id,
      client_key: clientKey,
      content_mac: contentMac,
      gallery_id: galleryId,
    });
  const owned = { id: galleryId, organizationId: owner.id };
  await giveLink(tx, owned, { sealingKey: ctx.keys.contributeKeys, expiresAt: null, quota: null });
  return { galleryId, isNew: true, isSameContent: true };
}

/**
 * Creates a gallery with its contribute key; returns its id. A form's key that already created one returns that.
 * @throws unauthenticated; not_found for an organization that the caller does not administer; forbidden "Please Upgrade …"
 */
export async function create(
  ctx: GalleryEditingDeps,
  caller: Caller,
  input: NewGallery,
  clientKey: string | null = null,
): Promise<CreatedGallery> {
  const { actor } = caller;
  requireUserId(actor);
  const organization = await editedBy(ctx.organizations, caller, input.organization_id);
  return ctx.database.write(tenantScope(organization.id), async (tx) => {
    const made = await createWithin(ctx, tx, organization, input, clientKey);
    const { galleryId: id, isNew } = made;
    if (isNew)
      await recordOfAdmin(
        ctx,
        tx,
        caller,
        { id, organizationId: organization.id, name: input.name },
        'gallery.created',
      );
    return made;
  });
}

/**
 * Changes the given fields. `active: false` deletes; only a platform admin can restore a gallery, within its plan (rule 45).
 * @param seen what the caller last saw of the fields that they change
 * @throws unauthenticated; not_found; forbidden when it is deleted or beyond the plan; invalid "Password is required.";
 * conflict, with the current `gallery`, when someone else changed one of the fields meanwhile
 */
export async function change(
  ctx: GalleryEditingDeps,
  caller: Caller,
  galleryId: number,
  changes: GalleryChanges,
  seen: SeenValues = {},
): Promise<void> {
  const gallery = await ctx.access.ownGallery(caller, galleryId);
  const comesBack = !gallery.active && changes.active === true && isPlatformAdmin(caller.actor);
  if (!gallery.active && !comesBack) throw problem('forbidden', words.GALLERY_IS_DELETED);
  await ctx.database.write(tenantScope(gallery.organizationId), async (tx) => {
    if (comesBack) await bringBack(ctx, tx, caller, gallery);
    const passwordEncrypted = await changedPassword(ctx, tx, gallery, changes, seen);
    await refuseForeignSheet(ctx, tx, gallery.organizationId, changes);
    await galleryWritesSql.updateGallery(tx, galleryId, {
      ...galleryColumns({ ...changes, display_goal: showsFirstGoal(gallery.targetGoalCents, changes) }),
      ...(passwordEncrypted === null ? {} : { password_encrypted: passwordEncrypted }),
    });
    if (changesPictures(changes)) await ctx.cdn.requestPurge(tx, [cdnTags.gallery(galleryId)]);
    if (!comesBack)
      await recordOfAdmin(ctx, tx, caller, gallery, changes.active === false ? 'gallery.deleted' : 'gallery.changed');
  });
}

/** Deletes the gallery; idempotent. Buyers keep their downloads. @throws unauthenticated; not_found */
export async function deactivate(ctx: GalleryEditingDeps, caller: Caller, galleryId: number): Promise<void> {
  const gallery = await ctx.access.ownGallery(caller, galleryId);
  if (gallery.active)
    await ctx.database.write(tenantScope(gallery.organizationId), async (tx) => {
      await galleryWritesSql.updateGallery(tx, galleryId, { active: false });
      await ctx.cdn.requestPurge(tx, [cdnTags.gallery(galleryId)]);
      await recordOfAdmin(ctx, tx, caller, gallery, 'gallery.deleted');
    });
}

export const createGalleryEditing = (deps: GalleryEditingDeps) =>
  bind(deps, { createWithin, create, change, deactivate });

/** Whether it changes who may see the gallery's pictures, or which pictures. */
const changesPictures = ({ active, is_private, password_required, display_watermark }: GalleryChanges): boolean =>
  [active, is_private, password_required, display_watermark].some((value) => value !== undefined);

/** The columns of the given fields; a cleared text is empty. The password is encrypted separately. */
function galleryColumns(given: GalleryChanges | NewGallery) {
  const { price_per_photo, target_goal, goal_description, password: _password, ...columns } = given;
  return {
    ...columns,
    price_cents: price_per_photo,
    target_goal_cents: target_goal,
    goal_description: goal_description === null ? '' : goal_description,
  };
}
