/**
 * Sites that know a gallery's address ask how to show it in their pages. Only public galleries are described; for all
 * others the response reveals nothing.
 */
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import type { OembedAnswer } from '#src/features/sharing/oembed.contract.ts';
import * as contract from '#src/features/sharing/oembed.contract.ts';
import { embedCode, galleryLinks } from '#src/features/sharing/gallery-share.rules.ts';
import { VISITOR } from '#src/features/tenancy/actor.rules.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { bind } from '#src/shared/bind.ts';
import { isProblem, notFound, problem } from '#src/shared/problem.ts';
import { readId } from '#src/shared/read-id.ts';
import { CARD_HEIGHT, CARD_WIDTH, galleryCardPath } from '#src/shared/share-card-paths.ts';

const GALLERY = /^\/([^/]+)\/gallery\/(\d+)\/?$/;

export type OembedService = ReturnType<typeof createOembed>;
type OembedDeps = {
  galleries: Pick<GalleryService, 'view'>;
  organizations: Pick<OrganizationService, 'byHostLabel' | 'byPath'>;
  origin: SiteOrigin;
};

type OembedRequest = {
  /** Of the host of the gallery's address; null for a host that is not ours. */
  label: string | null;
  path: string;
  maxWidth: number;
  maxHeight: number;
};

async function placeOf(
  ctx: OembedDeps,
  { label, path }: OembedRequest,
): Promise<{ host: Organization; affiliate: Organization; galleryId: number }> {
  const [, affiliatePath, id] = GALLERY.exec(path) ?? [];
  const galleryId = readId(id);
  const host = label === null ? null : await ctx.organizations.byHostLabel(label);
  const affiliate = host && affiliatePath !== undefined ? await ctx.organizations.byPath(host, affiliatePath) : null;
  if (galleryId === null || !host || !affiliate) throw notFound(contract.NO_SUCH_GALLERY);
  return { host, affiliate, galleryId };
}

/**
 * How to show the gallery of an address, within the size that the requesting site allows.
 * @throws not_found if it is not the address of a gallery; unauthenticated for one that is not public or has a password
 */
export async function describe(ctx: OembedDeps, request: OembedRequest): Promise<OembedAnswer> {
  const { host, affiliate, galleryId } = await placeOf(ctx, request);
  const { gallery } = await ctx.galleries.view(VISITOR, galleryId).catch((error: unknown) => {
    throw isProblem(error) ? notFound(contract.NO_SUCH_GALLERY) : error;
  });
  if (gallery.organizationId !== affiliate.id) throw notFound(contract.NO_SUCH_GALLERY);
  if (gallery.isPrivate || gallery.passwordRequired) throw problem('unauthenticated', contract.NOT_FOR_EVERYONE);
  const site = siteUrl(ctx.origin, host.domainName, '');
  const links = galleryLinks(site, affiliate.domainName, { id: galleryId, unlock_key: null, contribute_key: null });
  const title = `${gallery.name} · ${affiliate.name}`;
  const width = Math.min(contract.OEMBED_SIZE.width, request.maxWidth);
  const height = Math.min(contract.OEMBED_SIZE.height, request.maxHeight);
  return {
    version: '1.0',
    type: 'rich',
    title,
    author_name: affiliate.name,
    author_url: `${site}/${affiliate.domainName}`,
    provider_name: 'Sideline',
    provider_url: siteUrl(ctx.origin, 'www', '/'),
    cache_age: contract.OEMBED_CACHE_SECONDS,
    ...thumbnail(`${site}${galleryCardPath(galleryId, null, [gallery.name, affiliate.name])}`, request),
    html: embedCode(links, title, { width, height }),
    width,
    height,
  };
}

export const createOembed = (deps: OembedDeps) => bind(deps, { describe });

function thumbnail(address: string, { maxWidth, maxHeight }: OembedRequest) {
  if (CARD_WIDTH > maxWidth || CARD_HEIGHT > maxHeight) return {};
  return { thumbnail_url: address, thumbnail_width: CARD_WIDTH, thumbnail_height: CARD_HEIGHT };
}
