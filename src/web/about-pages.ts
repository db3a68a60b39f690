/** The metadata of shareable pages, for their loaders. Addresses come from configuration and database only (rule 11). */
import type { RouterContextProvider } from 'react-router';
import { pictureAddress, type Organization } from '#src/features/tenancy/organizations.rules.ts';
import { galleryCardPath, organizationCardPath, organizationNameCardPath } from '#src/shared/share-card-paths.ts';
import { requestContext } from '#src/web/app-context.ts';
import { oembedPath } from '#src/shared/embedding.ts';
import { breadcrumb, type PageMeta } from '#src/web/page-meta.ts';
import { lastingAddress } from '#src/shared/cdn-addresses.ts';
import { siteOrigin, siteUrl } from '#src/shared/addresses.ts';

type Context = Readonly<RouterContextProvider>;
type Shown = { id: number; name: string };

const PLATFORM_NAME = 'Sideline';
const nameOf = ({ kind, name }: Organization) => (kind === 'root' ? PLATFORM_NAME : name);

/** `/` of the root or of a parent. */
export function aboutHome(context: Context): PageMeta {
  const { organization: host } = context.get(requestContext).tenant;
  const isRoot = host.kind === 'root';
  const about = isRoot
    ? {
        title: 'Sideline · Galleries that pay for the team',
        description: 'Show the photos of your games and events, sell or give them away, and let them pay for the team.',
      }
    : { title: host.name, description: `Photo galleries of ${host.name} and its teams.` };
  return {
    ...about,
    ...placeOf(context, '/'),
    isIndexed: true,
    card: {
      address: canonicalAddress(context, organizationCardPath(host.id, [host.name, host.primaryColor])),
      alt: isRoot ? about.title : `Photo galleries of ${host.name}`,
    },
    facts: [organizationFacts(context, host, '/')],
  };
}

/** `/:affiliate`. @param isWhole false for a search or a later part of the list */
export function aboutAffiliate(context: Context, affiliate: Organization, isWhole: boolean): PageMeta {
  const { name, domainName, primaryColor } = affiliate;
  return {
    title: `${name} · Photo galleries`,
    description: `Photo galleries of ${name}: find your event, look through the photos and take them home.`,
    ...placeOf(context, `/${domainName}`),
    isIndexed: isWhole,
    card: {
      address: canonicalAddress(context, organizationCardPath(affiliate.id, [name, primaryColor])),
      alt: `Photo galleries of ${name}`,
    },
    facts: [organizationFacts(context, affiliate, `/${domainName}`), wayTo(context, affiliate)],
  };
}

/** `/:affiliate/gallery/:id`. A locked gallery reveals only its name, which the password page shows, too. */
export function aboutGallery(
  context: Context,
  affiliate: Organization,
  gallery: Shown & { isListed: boolean; isLocked: boolean; photoCount: number; firstPictureUrl: string | null },
): PageMeta {
  const path = galleryPath(affiliate, gallery);
  const place = placeOf(context, path);
  const seen = [gallery.name, affiliate.name, affiliate.primaryColor, lastingAddress(gallery.firstPictureUrl ?? '')];
  return {
    title: `${gallery.name} · ${affiliate.name}`,
    description: gallery.isLocked
      ? `${gallery.name} by ${affiliate.name}. This gallery opens with a password.`
      : `${gallery.name} by ${affiliate.name}: look at the photos and take yours home.`,
    ...place,
    isIndexed: gallery.isListed,
    ...(gallery.isListed ? { oembed: canonicalAddress(context, oembedPath(place.address)) } : {}),
    card: {
      address: canonicalAddress(
        context,
        gallery.isListed ? galleryCardPath(gallery.id, null, seen) : nameCardPath(affiliate),
      ),
      alt: gallery.isListed ? `A photo of ${gallery.name}` : affiliate.name,
    },
    facts: [
      {
        '@type': 'ImageGallery',
        name: gallery.name,
        url: place.address,
        numberOfItems: gallery.photoCount,
        author: { '@type': 'Organization', name: affiliate.name },
      },
      wayTo(context, affiliate, { name: gallery.name, path }),
    ],
  };
}

/** `/:affiliate/gallery/:id/photo/:photo`. */
export function aboutPhoto(
  context: Context,
  affiliate: Organization,
  gallery: Shown & { isListed: boolean },
  photo: { id: number; alt: string; imageUrl: string },
): PageMeta {
  const path = `${galleryPath(affiliate, gallery)}/photo/${photo.id}`;
  const seen = [gallery.name, affiliate.name, affiliate.primaryColor, lastingAddress(photo.imageUrl)];
  return {
    title: `${photo.alt} · ${gallery.name} · ${affiliate.name}`,
    description: `${photo.alt}, from ${gallery.name} by ${affiliate.name}.`,
    ...placeOf(context, path),
    isIndexed: gallery.isListed,
    card: {
      address: canonicalAddress(
        context,
        gallery.isListed ? galleryCardPath(gallery.id, photo.id, seen) : nameCardPath(affiliate),
      ),
      alt: gallery.isListed ? photo.alt : affiliate.name,
    },
    facts: [
      wayTo(
        context,
        affiliate,
        { name: gallery.name, path: galleryPath(affiliate, gallery) },
        { name: photo.alt, path },
      ),
    ],
  };
}

function nameCardPath({ id, name, primaryColor }: Organization): string {
  return organizationNameCardPath(id, [name, primaryColor]);
}

function galleryPath({ domainName }: Organization, { id }: { id: number }): string {
  return `/${domainName}/gallery/${id}`;
}

function placeOf(context: Context, path: string): { address: string; siteName: string } {
  const { organization: host } = context.get(requestContext).tenant;
  return { address: canonicalAddress(context, path), siteName: nameOf(host) };
}

function organizationFacts(context: Context, organization: Organization, path: string): Record<string, unknown> {
  const logo = pictureAddress(organization, 'logo');
  return {
    '@type': 'Organization',
    name: nameOf(organization),
    url: canonicalAddress(context, path),
    ...(logo === null ? {} : { logo: canonicalAddress(context, logo) }),
  };
}

function wayTo(context: Context, affiliate: Organization, ...further: { name: string; path: string }[]) {
  const { organization: host } = context.get(requestContext).tenant;
  const steps = [
    { name: nameOf(host), path: '/' },
    { name: affiliate.name, path: `/${affiliate.domainName}` },
    ...further,
  ];
  return breadcrumb(steps.map(({ name, path }) => ({ name, address: canonicalAddress(context, path) })));
}

/** The canonical address of a page: on the organization's own host, made from configuration (rule 11). */
export function canonicalAddress(context: Readonly<RouterContextProvider>, path: string): string {
  const { app, tenant } = context.get(requestContext);
  return siteUrl(siteOrigin(app.site.baseDomain, app.site.port), tenant.organization.domainName, path);
}
