/**
 * The only place that sends bytes of photos. One function decides what a request may see; this file collects its facts (in one
 * query), finds the stored object and says how long it may be cached.
 */
import { isForeignToken, isKnown, mayEdit, VISITOR, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { Revisions } from '#src/features/tenancy/revisions.service.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { attachmentHeader, downloadName, photoTitle } from '#src/features/photos/photo-title.rules.ts';
import { nearestSize, pictureVersion } from '#src/features/photos/photos.rules.ts';
import {
  cacheControl,
  decidePixels,
  type PixelFacts,
  type PixelRequest,
  type Pixels,
} from '#src/features/photos/pixel-rights.rules.ts';
import { PICTURE_UNREADABLE } from '#src/features/photos/photos.contract.ts';
import { purgedObjects } from '#src/features/photos/purged-objects.service.ts';
import {
  findPictureRights,
  listPictureRights,
  type WantedPicture,
  type PictureRights,
  type StoredPicture,
} from '#src/features/pictures/pictures.sql.ts';
import { cdnTags, type Cdn } from '#src/platform/cdn/cdn.ts';
import { batchLoader } from '#src/platform/db/batch-loader.ts';
import { PUBLIC, type Scope } from '#src/platform/db/db.ts';
import { withoutLocation } from '#src/platform/images/strip-location.ts';
import type { Keys, Platform } from '#src/platform/platform.ts';
import { createBytesCache } from '#src/platform/storage/bytes-cache.ts';
import type { ByteRange } from '#src/platform/storage/storage.ts';
import { notFound, problem } from '#src/shared/problem.ts';
import type { PublicPicture } from '#src/shared/cdn-addresses.ts';
import type { RenditionSize } from '#src/shared/picture-sizes.ts';
import { bind } from '#src/shared/bind.ts';
import { startOnce } from '#src/shared/start-once.ts';
import { opensOwnPicture } from '#src/features/pictures/own-pictures.service.ts';

/** The orders module's answer to "does this key open that photo?". */
type PaidLines = {
  paidLine(
    orderKey: string,
    use: 'view' | 'download',
    photo: { photoId: number; galleryId: number },
  ): Promise<{ photoId: number; galleryId: number } | null>;
};

/** The families module's answer to "may a card of this browser show that photo?". */
type OpenCards = { mayShow(caller: Caller, photo: { photoId: number; galleryId: number }): Promise<boolean> };

export type PictureDeps = Pick<Platform, 'database' | 'storage' | 'clock'> & {
  galleries: Pick<GalleryService, 'isLocked'>;
  orders: PaidLines;
  families: OpenCards;
  revisions: Revisions;
  cdn: Pick<Cdn, 'secondsLeft'>;
  keys: Pick<Keys, 'ownPictures'>;
};

type PictureRequest = {
  galleryId: number;
  photoId: number;
  /** As requested; the nearest of the fixed sizes is used. */
  size: string | undefined;
  adminview: boolean;
  download: boolean;
  orderKey: string | null;
  /** Proof that the caller contributed this photo; null without one. */
  own: string | null;
  /** `v` of the address. */
  version: string | undefined;
};

/** A picture that may be sent. `open` reads it, whole or in part. */
export type Picture = {
  etag: string;
  contentType: string;
  cacheControl: string;
  /** `Content-Disposition` of a download; null for a picture that is shown. */
  disposition: string | null;
  bytes: number;
  open(range?: ByteRange): Promise<Buffer | NodeJS.ReadableStream>;
};

const NONE: Pixels = { kind: 'none' };
const ASKED: Scope = {
  kind: 'system',
  why: 'members and buyers see more than the public; the decision is made on this row',
};
/** Renditions cached in the memory of one process. */
const CACHE_BYTES = 48 * 1_048_576;
/** Cached rights of visitors' pictures, for some thousands. */
const RIGHTS_BYTES = 4 * 1_048_576;
/** Measured with four pictures, including the entry itself. */
const BYTES_OF_RIGHTS = 2_000;
/** An address with an old version shows the new pixels, with a short cache time. */
const OLD_VERSION_SECONDS = 60;

type PicturesContext = ReturnType<typeof contextOf>;

function contextOf(deps: PictureDeps) {
  const cache = createBytesCache({ maxBytes: CACHE_BYTES });
  const listenForPurges = startOnce(() => purgedObjects.listen(deps.database, (keys) => keys.forEach(cache.forget)));
  // Pictures of a page are requested together, so their rights are queried together.
  const openRights = batchLoader((pictures: readonly WantedPicture[]) =>
    deps.database.read(PUBLIC, (db) => findPictureRights(db, pictures)),
  );
  const allRights = batchLoader((pictures: readonly WantedPicture[]) =>
    deps.database.read(ASKED, (db) => findPictureRights(db, pictures)),
  );
  const cachedRights = deps.revisions.createCache<PictureRights | null>(RIGHTS_BYTES);
  return { ...deps, cache, listenForPurges, openRights, allRights, cachedRights };
}

/** Visitors' requests are answered from public rows only; callers who may see more run a second query. */
async function rightsOf(ctx: PicturesContext, caller: Caller, request: PictureRequest): Promise<PictureRights | null> {
  const photo = { galleryId: request.galleryId, photoId: request.photoId, size: nearestSize(request.size) };
  const claimsMore = request.adminview || request.orderKey !== null || request.own !== null;
  if (!claimsMore) {
    const open = await openRightsOf(ctx, photo);
    if (open || !isKnown(caller.actor)) return open;
  }
  return inSizeThatExists(ctx.allRights, photo);
}

/** What everyone may see of a photo: cached until its gallery or organization changes (decision record 0056). */
function openRightsOf(ctx: PicturesContext, photo: WantedPicture): Promise<PictureRights | null> {
  return ctx.cachedRights(`${photo.galleryId} ${photo.photoId} ${photo.size}`, async () => {
    const rights = await inSizeThatExists(ctx.openRights, photo);
    const madeOf =
      rights && [0, rights.galleryId].map((galleryId) => ({ organizationId: rights.organizationId, galleryId }));
    return { value: rights, subjects: madeOf, bytes: BYTES_OF_RIGHTS };
  });
}

/** Older photos without 960 px are sent in the next larger size (decision record 0037). */
async function inSizeThatExists(find: (photo: WantedPicture) => Promise<PictureRights | null>, photo: WantedPicture) {
  const rights = await find(photo);
  return rights?.pictures.length === 0 && photo.size === 960 ? find({ ...photo, size: 1440 }) : rights;
}

async function isPaid(ctx: PicturesContext, request: PictureRequest): Promise<boolean> {
  if (request.orderKey === null) return false;
  const line = await ctx.orders.paidLine(request.orderKey, request.download ? 'download' : 'view', request);
  return line !== null && line.photoId === request.photoId && line.galleryId === request.galleryId;
}

function factsOf(
  ctx: PicturesContext,
  caller: Caller,
  rights: PictureRights,
  { paid = false, contributor = false, family = false } = {},
): PixelFacts {
  const locked = ctx.galleries.isLocked(caller, {
    id: rights.galleryId,
    passwordRequired: rights.passwordRequired,
    passwordVersion: rights.passwordVersion,
  });
  return {
    ready: rights.status === 'ready',
    removed: rights.isRemoved,
    shownInGallery: rights.showInGallery,
    galleryActive: rights.galleryActive,
    locked,
    galleryRestricted: rights.passwordRequired || rights.isPrivate,
    displayWatermark: rights.displayWatermark,
    editor: mayEdit(caller.actor, rights),
    // The contributor has the file. After its review nothing reveals why it is hidden (decision record 0116).
    contributor: contributor && (rights.showInGallery || !rights.isReviewed),
    family,
    paid,
  };
}

async function readObject(ctx: PicturesContext, key: string): Promise<Buffer> {
  const bytes = await ctx.storage.get(key);
  if (!bytes) throw lost(key);
  return bytes;
}

function rendition(
  ctx: PicturesContext,
  stored: StoredPicture,
  about: Pick<Picture, 'cacheControl' | 'disposition'>,
): Picture {
  return {
    ...about,
    etag: `"${stored.sha256.slice(0, 32)}"`,
    contentType: 'image/jpeg',
    bytes: stored.bytes,
    async open(range) {
      ctx.listenForPurges().catch(() => undefined);
      const bytes = await ctx.cache.get(stored.key, () => ctx.storage.get(stored.key));
      if (!bytes) throw lost(stored.key);
      return range ? bytes.subarray(range.start, (range.end ?? bytes.length - 1) + 1) : bytes;
    },
  };
}

function original(ctx: PicturesContext, rights: PictureRights, as: 'uploaded' | 'sold'): Picture {
  const { originalKey: key, originalSha256: sha256, originalBytes: bytes } = rights;
  if (key === null || sha256 === null || bytes === null) throw lost(`original of photo ${rights.photoId}`);
  return {
    etag: `"${as}-${sha256.slice(0, 32)}"`,
    contentType: 'image/jpeg',
    cacheControl: cacheControl({ kind: 'original', as }, false),
    disposition: attachmentHeader(as === 'sold' ? photoTitle(rights.name, rights.photoId) : rights.name),
    bytes,
    async open(range) {
      if (as === 'sold') {
        const sold = withoutLocation(await readObject(ctx, key));
        return range ? sold.subarray(range.start, (range.end ?? sold.length - 1) + 1) : sold;
      }
      const file = await ctx.storage.stream(key, range);
      if (!file) throw lost(key);
      return file.body;
    },
  };
}

function pictureOf(
  ctx: PicturesContext,
  rights: PictureRights,
  pixels: Exclude<Pixels, { kind: 'none' }>,
  request: Pick<PictureRequest, 'version' | 'download'>,
): Picture {
  if (pixels.kind === 'original') return original(ctx, rights, pixels.as);
  const stored = rights.pictures.find(({ mark }) => mark === pixels.mark);
  if (!stored && rights.isRemoved) throw notFound();
  if (!stored) throw lost(`rendition of photo ${rights.photoId}`);
  const isThisVersion = request.version === pictureVersion(rights.pixelVersion, rights.displayWatermark);
  return rendition(ctx, stored, {
    cacheControl: cacheControl(pixels, isThisVersion),
    disposition: request.download ? attachmentHeader(rights.name) : null,
  });
}

/** The decision of rule 2, for a paid line. */
function maySell(ctx: PicturesContext, caller: Caller, rights: PictureRights): boolean {
  const pixelRequest: PixelRequest = { download: true, adminview: false, orderKey: true };
  return decidePixels(pixelRequest, factsOf(ctx, caller, rights, { paid: true })).kind === 'original';
}

/**
 * The bytes that this caller may have of a photo.
 * @throws not_found for everything else, whatever the reason; unavailable when the store has lost the object; too_many for an
 * order key
 */
export async function bytesFor(ctx: PicturesContext, caller: Caller, request: PictureRequest): Promise<Picture> {
  if (request.adminview && !isKnown(caller.actor)) throw notFound();
  const paid = await isPaid(ctx, request);
  if (request.orderKey !== null && !request.adminview && !paid) throw notFound();
  if (request.own !== null && !opensOwnPicture(ctx.keys.ownPictures, request.own, request.photoId, ctx.clock.now()))
    throw notFound();
  const pixelRequest: PixelRequest = {
    download: request.download,
    sized: (request.size ?? '') !== '',
    adminview: request.adminview,
    orderKey: request.orderKey !== null,
  };
  const open = await rightsOf(ctx, caller, request);
  const isForeign = open !== null && isForeignToken(caller.actor, open);
  const own = request.own !== null;
  let pixels =
    open && !isForeign ? decidePixels(pixelRequest, factsOf(ctx, caller, open, { paid, contributor: own })) : NONE;
  let rights = open;
  if (pixels.kind === 'none' && caller.family !== undefined && (await ctx.families.mayShow(caller, request))) {
    rights = await inSizeThatExists(ctx.allRights, { ...request, size: nearestSize(request.size) });
    pixels = rights ? decidePixels(pixelRequest, factsOf(ctx, caller, rights, { paid, family: true })) : NONE;
  }
  if (rights === null || pixels.kind === 'none') throw notFound();
  return pictureOf(ctx, rights, pixels, request);
}

/**
 * What the buyer of these paid lines may download, by photo id, without reading a file (for the archive of an order). The
 * fingerprint changes with the bytes. Lines without access are left out.
 */
export async function soldCopies(
  ctx: PicturesContext,
  caller: Caller,
  lines: readonly { photoId: number; galleryId: number }[],
): Promise<Map<number, SoldCopy>> {
  const galleryOf = new Map(lines.map((line) => [line.photoId, line.galleryId]));
  const rights = await ctx.database.read(ASKED, (db) => listPictureRights(db, [...galleryOf.keys()]));
  const copies = new Map<number, SoldCopy>();
  for (const each of rights) {
    if (galleryOf.get(each.photoId) !== each.galleryId || !maySell(ctx, caller, each)) continue;
    const { originalBytes: bytes, originalSha256: sha256 } = each;
    if (bytes === null || sha256 === null) continue;
    copies.set(each.photoId, {
      fileName: downloadName(photoTitle(each.name, each.photoId)),
      bytes,
      fingerprint: `sold-${sha256}`,
    });
  }
  return copies;
}

/** The rendition that every visitor gets; null if not all of them do. */
function pixelsForEveryone(ctx: PicturesContext, rights: PictureRights) {
  const pixelRequest: PixelRequest = { download: false, adminview: false, orderKey: false };
  const pixels = decidePixels(pixelRequest, factsOf(ctx, VISITOR, rights));
  return pixels.kind === 'rendition' && pixels.cachedFor === 'everyone' ? pixels : null;
}

/**
 * The picture at a signed address, for the CDN, without session, cookie or key. It may be cached until the address expires, and
 * is purged by its tags before; null when the address has expired.
 * @throws not_found for an address that we did not sign, and for what not every visitor may see; unavailable
 */
export async function publicPicture(
  ctx: PicturesContext,
  address: PublicPicture & { size: RenditionSize; seal: string },
): Promise<{ picture: Picture; tags: readonly string[] } | null> {
  const secondsLeft = ctx.cdn.secondsLeft(address, address.seal);
  if (secondsLeft === null) throw notFound();
  if (secondsLeft === 0) return null;
  const rights = await openRightsOf(ctx, address);
  const pixels = rights && pixelsForEveryone(ctx, rights);
  if (!pixels) throw notFound();
  const { version } = address;
  const picture = pictureOf(ctx, rights, pixels, { version, download: false });
  const isThisVersion = version === pictureVersion(rights.pixelVersion, rights.displayWatermark);
  const maxAge = isThisVersion ? secondsLeft : Math.min(secondsLeft, OLD_VERSION_SECONDS);
  const { photoId, galleryId, organizationId } = rights;
  return {
    picture: { ...picture, cacheControl: `public, max-age=${maxAge}` },
    tags: [cdnTags.photo(photoId), cdnTags.gallery(galleryId), cdnTags.organization(organizationId)],
  };
}

/**
 * The largest rendition that everyone may see, without session, cookie or key; null for locked, private, hidden and unknown
 * photos (share cards). `open` throws unavailable when the store has lost it.
 */
export async function forPublic(
  ctx: PicturesContext,
  photo: {
    galleryId: number;
    photoId: number;
  },
) {
  const rights = await ctx.openRights({ ...photo, size: 1440 });
  const pixels = rights && pixelsForEveryone(ctx, rights);
  if (!pixels) return null;
  const stored = rights.pictures.find(({ mark }) => mark === pixels.mark);
  return stored ? { sha256: stored.sha256, open: () => readObject(ctx, stored.key) } : null;
}

/** The sold copy of a photo for a paid line of the orders module. @throws not_found; unavailable when the store has lost it */
export async function soldCopy(ctx: PicturesContext, caller: Caller, line: { photoId: number; galleryId: number }) {
  const rights = await ctx.allRights({ ...line, size: 1440 });
  if (!rights || !maySell(ctx, caller, rights) || rights.originalKey === null) throw notFound();
  return withoutLocation(await readObject(ctx, rights.originalKey));
}

export const createPictures = (deps: PictureDeps) =>
  bind(contextOf(deps), { bytesFor, publicPicture, soldCopies, forPublic, soldCopy });

/** A file for its buyer. */
export type SoldCopy = { fileName: string; bytes: number; fingerprint: string };

function lost(what: string) {
  return problem('unavailable', PICTURE_UNREADABLE, {
    retryAfterSeconds: 5,
    cause: new Error(`${what} is missing from the store`),
  });
}
