/** Pictures for members, beyond what visitors get (specification A§7: `adminview=true&download=true&t=`). */
import type { PhotoFact } from '#src/features/photos/photo-grid.contract.ts';

type Photo = Pick<PhotoFact, 'id' | 'gallery_id' | 'name'>;

/** The file as it was uploaded with `download`; without, 1440 pixels without a mark. `t` keeps any cache out. */
export function memberPicture({ id, gallery_id: galleryId }: Photo, { download }: { download: boolean }): string {
  const query = new URLSearchParams({
    adminview: 'true',
    ...(download ? { download: 'true' } : {}),
    t: String(Date.now()),
  });
  return `/api/v1/galleries/${galleryId}/gallery_photos/${id}?${query}`;
}

/** Fetched here instead of by a link, because a browser would say that it takes WebP. False when it could not be had. */
export async function saveCleanPicture(photo: Photo): Promise<boolean> {
  try {
    const response = await fetch(memberPicture(photo, { download: false }), { headers: { accept: 'image/jpeg' } });
    if (!response.ok) return false;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await response.blob());
    link.download = `${photo.name.replace(/\.jpe?g$/i, '')} clean.jpg`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    return true;
  } catch {
    return false;
  }
}

/** The address of a photo's picture without a watermark, for members; as it is where visitors see none either. */
export function cleanAddress(imageUrl: string): string {
  return /[?&]v=\d+\.m(?:&|$)/.test(imageUrl) ? `${imageUrl}&adminview=true` : imageUrl;
}
