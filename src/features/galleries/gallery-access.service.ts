/**
 * A gallery is found by its id, and the caller decides the rest: editors may change it, visitors may see it, with its password
 * if it has one. Inactive galleries are visible only to their editors, and cannot be changed.
 */
import {
  isForeignToken,
  isKnown,
  mayEdit,
  requireEditor,
  type Actor,
  type Caller,
} from '#src/features/tenancy/actor.rules.ts';
import { hashOfKey } from '#src/features/galleries/contribute-keys.service.ts';
import { findLiveKey } from '#src/features/galleries/contribute-keys.sql.ts';
import {
  GALLERY_IS_DELETED,
  WRONG_GALLERY_PASSWORD,
  type UnlockBody,
} from '#src/features/galleries/galleries.contract.ts';
import type { Gallery, GalleryView } from '#src/features/galleries/galleries.rules.ts';
import * as galleriesSql from '#src/features/galleries/galleries.sql.ts';
import { PUBLIC, tenantScope, type Scope } from '#src/platform/db/db.ts';
import type { Keys, Platform } from '#src/platform/platform.ts';
import { openText, signValue, verifyValue } from '#src/platform/secrets.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound, problem } from '#src/shared/problem.ts';
import { HOUR_SECONDS } from '#src/shared/dates.ts';

const INACTIVE = {
  kind: 'system',
  why: 'an inactive gallery is shown to those who may edit it, asked right after',
} as const;
const PASSWORDS = { kind: 'system', why: 'a visitor’s password is compared with the gallery’s' } as const;
const KEY_HOLDERS = { kind: 'system', why: 'a contribute key is looked up before its owner is known' } as const;

/** Passwords that one sender may try for a gallery. */
const TRIES = { minute: 5, hour: 50 };

export type GalleryAccess = ReturnType<typeof createGalleryAccess>;
type GalleryAccessDeps = Pick<Platform, 'database' | 'limits'> & {
  keys: Pick<Keys, 'galleryPasswords' | 'unlockProofs' | 'contributeKeys'>;
};

/** The holder of a contribute key, and what the key allows. */
type KeyHolder = {
  actor: Extract<Actor, { kind: 'contributor' }>;
  gallery: Gallery;
  quota: number | null;
  /** Of a personal key: its recipient. */
  invite: { id: number; email: string } | null;
};

async function find(ctx: GalleryAccessDeps, caller: Caller, galleryId: number): Promise<Gallery | null> {
  const open = await ctx.database.read(PUBLIC, (db) => galleriesSql.findGallery(db, galleryId));
  if (open || !isKnown(caller.actor)) return open;
  return ctx.database.read(INACTIVE, (db) => galleriesSql.findGallery(db, galleryId));
}

function proofOf(ctx: GalleryAccessDeps, gallery: Gallery) {
  return signValue(ctx.keys.unlockProofs, 'unlocked', gallery.id, gallery.passwordVersion);
}

function isUnlocked(ctx: GalleryAccessDeps, caller: Caller, gallery: Pick<Gallery, 'id' | 'passwordVersion'>): boolean {
  const proof = caller.unlocks.get(gallery.id);
  return (
    proof !== undefined && verifyValue(ctx.keys.unlockProofs, proof, 'unlocked', gallery.id, gallery.passwordVersion)
  );
}

/**
 * The gallery and the caller's access; one query for a visitor.
 * @throws not_found for unknown ones, and for inactive ones unless the caller may edit them.
 */
export async function view(ctx: GalleryAccessDeps, caller: Caller, galleryId: number): Promise<GalleryView> {
  const gallery = await find(ctx, caller, galleryId);
  const editor = gallery !== null && mayEdit(caller.actor, gallery);
  if (!gallery || (!gallery.active && !editor) || isForeignToken(caller.actor, gallery)) throw notFound();
  return { gallery, editor, locked: !editor && isLocked(ctx, caller, gallery) };
}

/** Whether this caller needs the gallery's password; editors do not. */
export function isLocked(
  ctx: GalleryAccessDeps,
  caller: Caller,
  gallery: Pick<Gallery, 'id' | 'passwordRequired' | 'passwordVersion'>,
): boolean {
  return gallery.passwordRequired && !isUnlocked(ctx, caller, gallery);
}

/** Compares signatures, so that the time reveals nothing. */
async function isPassword(ctx: GalleryAccessDeps, gallery: Gallery, given: string): Promise<boolean> {
  const sealed = await ctx.database.read(PASSWORDS, (db) => galleriesSql.findSealed(db, gallery.id));
  if (sealed.passwordEncrypted === null) return false;
  const word = openText(ctx.keys.galleryPasswords, sealed.passwordEncrypted);
  return verifyValue(ctx.keys.unlockProofs, signValue(ctx.keys.unlockProofs, 'word', given), 'word', word);
}

/** Those of these galleries that need their password from this caller; without unknown and inactive ones. */
export async function lockedFor(ctx: GalleryAccessDeps, caller: Caller, galleryIds: readonly number[]) {
  const galleries = await ctx.database.read(PUBLIC, (db) => galleriesSql.listGalleriesById(db, galleryIds));
  const locked = galleries.filter((gallery) => !mayEdit(caller.actor, gallery) && isLocked(ctx, caller, gallery));
  return new Set(locked.map(({ id }) => id));
}

/** The gallery, also an inactive one, for someone who may edit it. @throws unauthenticated; not_found for others. */
export async function ownGallery(ctx: GalleryAccessDeps, caller: Caller, galleryId: number): Promise<Gallery> {
  const { gallery } = await view(ctx, caller, galleryId);
  requireEditor(caller.actor, gallery);
  return gallery;
}

/** Like `ownGallery`, and @throws forbidden when it is inactive. */
export async function editable(ctx: GalleryAccessDeps, caller: Caller, galleryId: number): Promise<Gallery> {
  const { gallery } = await view(ctx, caller, galleryId);
  requireEditor(caller.actor, gallery);
  if (!gallery.active) throw problem('forbidden', GALLERY_IS_DELETED);
  return gallery;
}

/** The scope in which a caller with this view reads the gallery's photos. */
export function scopeOf({ gallery, editor }: GalleryView): Scope {
  return editor ? tenantScope(gallery.organizationId) : PUBLIC;
}

/**
 * Checks the password, or the key of an unlock link, and returns the proof for the cookie; null if nothing was locked. Five
 * tries a minute and fifty an hour per gallery and address; right ones do not count (rule 1).
 * @throws not_found; unauthenticated "That password is not correct."; too_many
 */
export async function unlock(ctx: GalleryAccessDeps, caller: Caller, galleryId: number, { password, key }: UnlockBody) {
  const { gallery } = await view(ctx, caller, galleryId);
  if (!gallery.passwordRequired) return null;
  const tries = [
    { bucket: `unlock:minute:${galleryId}:${caller.ip}`, limit: TRIES.minute, windowSeconds: 60 },
    { bucket: `unlock:hour:${galleryId}:${caller.ip}`, limit: TRIES.hour, windowSeconds: HOUR_SECONDS },
  ];
  for (const limit of tries) await ctx.limits.take(limit);
  const isRight =
    key === undefined || key === ''
      ? await isPassword(ctx, gallery, password ?? '')
      : verifyValue(ctx.keys.unlockProofs, key, 'unlock link', gallery.id, gallery.passwordVersion);
  if (!isRight)
    throw problem('unauthenticated', WRONG_GALLERY_PASSWORD, { errors: { password: [WRONG_GALLERY_PASSWORD] } });
  for (const limit of tries) await ctx.limits.refund(limit);
  return proofOf(ctx, gallery);
}

/** The key of a link that opens the gallery until its password changes; null without a password. */
export function unlockKeyOf(ctx: GalleryAccessDeps, gallery: Gallery): string | null {
  return gallery.passwordRequired
    ? signValue(ctx.keys.unlockProofs, 'unlock link', gallery.id, gallery.passwordVersion)
    : null;
}

/** The holder of this contribute key; null for one that is unknown, revoked, expired or whose gallery is inactive (rule 8). */
export async function holderOf(ctx: GalleryAccessDeps, contributeKey: string): Promise<KeyHolder | null> {
  const keyHash = hashOfKey(contributeKey);
  if (keyHash === null) return null;
  return ctx.database.read(KEY_HOLDERS, async (db) => {
    const live = await findLiveKey(db, keyHash);
    const gallery = live ? await galleriesSql.findGallery(db, live.galleryId) : null;
    if (!live || !gallery?.active) return null;
    const { galleryId, organizationId, quota, invite } = live;
    return { actor: { kind: 'contributor', keyHash, galleryId, organizationId }, gallery, quota, invite };
  });
}

export function createGalleryAccess(deps: GalleryAccessDeps) {
  return {
    scopeOf,
    ...bind(deps, { view, isLocked, lockedFor, ownGallery, editable, unlock, unlockKeyOf, holderOf }),
  };
}
