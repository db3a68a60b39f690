/**
 * A team prints a page and hangs it at the fence: whose event it is, a code for phones, and the address for everyone
 * else. Only members print it, because the codes for contributors and for locked galleries carry a key.
 */
import { requireEditor, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { galleryLinks } from '#src/features/sharing/gallery-share.rules.ts';
import { printCard, type CardLogo } from '#src/features/sharing/qr-card-print.service.ts';
import {
  CARD_WORDS,
  NOBODY_IS_INVITED,
  OPENS_WITHOUT_PASSWORD,
  type CardPurpose,
} from '#src/features/sharing/qr-card.contract.ts';
import { pngSize } from '#src/features/sharing/qr-card.rules.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import type { Limits } from '#src/platform/limits/rate-limits.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound, problem } from '#src/shared/problem.ts';

export type QrCardDeps = {
  galleries: Pick<GalleryService, 'view' | 'answerFor'>;
  organizations: Pick<OrganizationService, 'byId' | 'picture'>;
  limits: Limits;
  origin: SiteOrigin;
};
export type QrCardService = ReturnType<typeof createQrCards>;

/** Cards of one member; each takes a tenth of a second of a processor. */
const CARDS_A_MINUTE = 30;
/** A logo beyond this is left out: a PNG is unpacked whole. */
const MAX_LOGO_BYTES = 2_097_152;
const MAX_LOGO_PIXELS = 4_000_000;

/** What the code of this card says. @throws invalid where there is no such link */
async function addressOf(
  ctx: QrCardDeps,
  gallery: GalleryAnswer,
  owner: Organization,
  purpose: CardPurpose,
): Promise<string> {
  const host = owner.parentOrganizationId === null ? owner : await ctx.organizations.byId(owner.parentOrganizationId);
  const links = galleryLinks(siteUrl(ctx.origin, (host ?? owner).domainName, ''), owner.domainName, gallery);
  const address = links[purpose];
  if (address === null) throw problem('invalid', purpose === 'unlock' ? OPENS_WITHOUT_PASSWORD : NOBODY_IS_INVITED);
  return address;
}

async function logoOf(ctx: QrCardDeps, owner: Organization): Promise<CardLogo | null> {
  if (owner.pictureKeys.logo === null) return null;
  const logo = await ctx.organizations.picture(owner.id, 'logo').catch(() => null);
  if (!logo || logo.bytes.length > MAX_LOGO_BYTES) return null;
  const { width, height } = pngSize(logo.bytes) ?? { width: 0, height: 0 };
  return width * height > MAX_LOGO_PIXELS ? null : logo;
}

/**
 * The printed card of a gallery: one page of US letter as PDF.
 * @throws unauthenticated; not_found; invalid "This gallery opens without a password." and the like; too_many
 */
export async function card(ctx: QrCardDeps, caller: Caller, galleryId: number, purpose: CardPurpose): Promise<Buffer> {
  const view = await ctx.galleries.view(caller, galleryId);
  requireEditor(caller.actor, view.gallery);
  if (!view.gallery.active) throw notFound();
  const gallery = (await ctx.galleries.answerFor(view)) as GalleryAnswer;
  const owner = await ctx.organizations.byId(gallery.organization_id);
  if (!owner) throw notFound();
  const address = await addressOf(ctx, gallery, owner, purpose);
  if (caller.actor.kind === 'user')
    await ctx.limits.take({ bucket: `qr-card:${caller.actor.userId}`, limit: CARDS_A_MINUTE, windowSeconds: 60 });
  const words = { event: gallery.name, team: owner.name, ...CARD_WORDS[purpose], address };
  return printCard(words, { accent: owner.primaryColor, logo: await logoOf(ctx, owner) });
}

export const createQrCards = (deps: QrCardDeps) => bind(deps, { card });
