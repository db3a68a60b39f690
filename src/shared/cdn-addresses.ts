/**
 * Addresses of public pictures at a CDN. Everything that distinguishes pictures is in the path, because some CDNs
 * ignore the query, and the path ends like a file's, because some cache nothing else.
 */
import type { RenditionSize } from '#src/shared/picture-sizes.ts';

/** A photo's picture in all its sizes: every visitor may see each of them. `version`: "3.m". */
export type PublicPicture = { galleryId: number; photoId: number; version: string };

export const CDN_PICTURES = '/api/v1/pictures';
const FILE = /\/(\d{3,4})\.jpg$/;
const PARTS = new RegExp(`${CDN_PICTURES}/(\\d+)/(\\d+)/([\\w.]+)/[^/]+${FILE.source}`);

/** The path of its largest size; the signature says how long it is valid, and that it is ours. */
export function cdnPath({ galleryId, photoId, version }: PublicPicture, seal: string): string {
  return `${CDN_PICTURES}/${galleryId}/${photoId}/${version}/${seal}/1440.jpg`;
}

/** The same picture in another size; null for an address that is not a CDN's. */
export function cdnAddressOf(imageUrl: string, size: RenditionSize): string | null {
  return FILE.test(imageUrl) ? imageUrl.replace(FILE, `/${size}.jpg`) : null;
}

/** Our own address of a picture, which does not expire, for lasting links: a CDN's changes every few minutes. */
export function lastingAddress(imageUrl: string): string {
  const [, galleryId, photoId, version] = PARTS.exec(imageUrl) ?? [];
  if (galleryId === undefined) return imageUrl;
  return `/api/v1/galleries/${galleryId}/gallery_photos/${photoId}?v=${version}`;
}
