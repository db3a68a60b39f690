/**
 * A shared link has a preview image. It contains only what everyone may see, including the watermark, and passes the same
 * access check as every other picture (rule 2); locked, private, hidden and missing ones get one neutral card, the same for
 * all, so that no one learns which it was (rule 51).
 */
import { createHash } from 'node:crypto';
import { VISITOR } from '#src/features/tenancy/actor.rules.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { isChild, type Organization } from '#src/features/tenancy/organizations.rules.ts';
import { purgedObjects } from '#src/features/photos/purged-objects.service.ts';
import type { GalleryListService } from '#src/features/home/gallery-lists.service.ts';
import type { PictureService } from '#src/features/pictures/pictures.service.ts';
import type { PhotoService } from '#src/features/photos/photos.service.ts';
import type { Database } from '#src/platform/db/db.ts';
import { openShareCardMaker, type ShareCardMaker, type CardWords } from '#src/platform/images/share-card.ts';
import { createBytesCache } from '#src/platform/storage/bytes-cache.ts';
import { DEFAULT_ACCENT } from '#src/shared/color.ts';
import { orNull } from '#src/shared/problem.ts';
import { bind } from '#src/shared/bind.ts';
import { startOnce } from '#src/shared/start-once.ts';

type ShareCardDeps = {
  galleries: Pick<GalleryService, 'view'>;
  galleryLists: Pick<GalleryListService, 'showcase' | 'showcaseOfEach'>;
  photos: Pick<PhotoService, 'page'>;
  pictures: Pick<PictureService, 'forPublic'>;
  organizations: Pick<OrganizationService, 'byId' | 'listChildren'>;
  /** For notifications about purged images. */
  database: Pick<Database, 'listen'>;
  cards?: ShareCardMaker;
};

export type ShareCard = {
  etag: string;
  /** The neutral one may be replaced soon. */
  isNeutral: boolean;
  /** A JPEG of 1200 × 630. @throws unavailable */
  bytes: () => Promise<Buffer>;
};

export type ShareCardService = ReturnType<typeof createShareCards>;

type Place = { galleryId: number; photoId: number };

const SIDELINE_WORDS: CardWords = {
  title: 'Sideline',
  subtitle: 'Galleries that pay for the team',
  color: DEFAULT_ACCENT,
};
/** Increased when cards are drawn differently. */
const DRAWING_VERSION = 2;
const CACHE_BYTES = 12 * 1_048_576;

type ShareCardsContext = ReturnType<typeof contextOf>;

function contextOf(deps: ShareCardDeps) {
  const { cards = openShareCardMaker() } = deps;
  const cache = createBytesCache({ maxBytes: CACHE_BYTES });
  const listenForPurges = startOnce(() =>
    purgedObjects.listen(deps.database, (keys) => keys.forEach((key) => cache.forgetAll(`${sha256In(key)} `))),
  );
  return { ...deps, cards, cache, listenForPurges };
}

/** Identified by its content: the photo's bytes and the texts. */
function cardOf(ctx: ShareCardsContext, words: CardWords, picture: Awaited<ReturnType<PictureService['forPublic']>>) {
  const name = createHash('sha256')
    .update(JSON.stringify([DRAWING_VERSION, words, picture?.sha256 ?? null]))
    .digest('base64url');
  return {
    etag: `"${name.slice(0, 32)}"`,
    isNeutral: false,
    async bytes() {
      ctx.listenForPurges().catch(() => undefined);
      const made = await ctx.cache.get(`${picture?.sha256 ?? ''} ${name}`, async () =>
        ctx.cards.make(picture ? await picture.open() : null, words),
      );
      return made ?? Buffer.alloc(0);
    },
  };
}

function neutral(ctx: ShareCardsContext): ShareCard {
  return { ...cardOf(ctx, SIDELINE_WORDS, null), isNeutral: true };
}

async function firstPhotoOf(ctx: ShareCardsContext, galleryId: number): Promise<Place | null> {
  const { photos: shown } = await ctx.photos.page(VISITOR, galleryId, { limit: 1, asVisitor: true });
  return shown[0] ? { galleryId, photoId: shown[0].id } : null;
}

/** A photo of the newest public gallery of an organization, or of the children of a parent. */
async function photoOf(ctx: ShareCardsContext, organization: Organization): Promise<Place | null> {
  const ids = isChild(organization)
    ? [organization.id]
    : [organization.id, ...(await ctx.organizations.listChildren(organization.id)).map(({ id }) => id)];
  const shown =
    organization.kind === 'root' ? await ctx.galleryLists.showcase(1) : await ctx.galleryLists.showcaseOfEach(ids);
  const newest = shown.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime())[0];
  const photo = newest?.preview[0];
  return newest && photo ? { galleryId: newest.id, photoId: photo.id } : null;
}

/** The card of a gallery, or of one of its photos; the neutral one unless everyone may see it. */
export async function ofGallery(ctx: ShareCardsContext, galleryId: number, photoId: number | null): Promise<ShareCard> {
  const view = await orNull(ctx.galleries.view(VISITOR, galleryId));
  if (!view || view.locked || view.gallery.isPrivate || view.gallery.passwordRequired) return neutral(ctx);
  const place = photoId === null ? await firstPhotoOf(ctx, galleryId) : { galleryId, photoId };
  const picture = place && (await ctx.pictures.forPublic(place));
  if (!picture) return neutral(ctx);
  const owner = await ctx.organizations.byId(view.gallery.organizationId);
  const { name: title, organizationName: subtitle } = view.gallery;
  return cardOf(ctx, { title, subtitle, color: owner?.primaryColor ?? DEFAULT_ACCENT }, picture);
}

/**
 * The card of an organization's home; the neutral one for unknown ids.
 * @param withPhoto false for links to locked or private galleries: the name alone
 */
export async function ofOrganization(ctx: ShareCardsContext, organizationId: number, withPhoto = true) {
  const organization = await ctx.organizations.byId(organizationId);
  if (!organization) return neutral(ctx);
  const place = withPhoto ? await photoOf(ctx, organization) : null;
  const words: CardWords =
    organization.kind === 'root'
      ? SIDELINE_WORDS
      : { title: organization.name, subtitle: 'Photo galleries', color: organization.primaryColor };
  return cardOf(ctx, words, place && (await ctx.pictures.forPublic(place)));
}

export const createShareCards = (deps: ShareCardDeps) => bind(contextOf(deps), { ofGallery, ofOrganization });

/** A rendition's key ends in the hash of its bytes. */
function sha256In(key: string): string {
  return /([0-9a-f]{64})\.\w+$/.exec(key)?.[1] ?? key;
}
