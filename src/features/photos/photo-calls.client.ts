/** The calls of the gallery editor (docs/api.md): the grid, changes of many photos, and of one. */
import type { PhotoFact, PhotoLayout, PhotoShow, PhotoSort } from '#src/features/photos/photo-grid.contract.ts';
import { toDollars, type Cents } from '#src/shared/money.ts';
import { api, type Answered, type ApiResult } from '#src/web/api-client.ts';
import type { KeywordAnswer, PhotoAnswer, PhotoChanges } from '#src/features/photos/photos.contract.ts';

/** Filter and sort order of the editor. */
export type ListView = {
  show: PhotoShow;
  sort: PhotoSort;
  /** The search; empty for none. */
  keyword: string;
};

export function fetchLayout(
  galleryId: number,
  { show, sort, keyword, after, limit }: ListView & { after: string | null; limit: number },
): Promise<ApiResult<PhotoLayout>> {
  return api('GET /api/v1/galleries/{id}/photo_layout', {
    params: { id: galleryId },
    query: { show, sort, limit, ...(keyword === '' ? {} : { keyword }), ...(after === null ? {} : { after }) },
  });
}

/** At most 100. */
export function fetchFacts(galleryId: number, ids: readonly number[]): Promise<ApiResult<{ photos: PhotoFact[] }>> {
  return api('GET /api/v1/galleries/{id}/photo_facts', { params: { id: galleryId }, query: { ids: ids.join(',') } });
}

/** Moves a photo after another one, wherever that one is by now. */
export function movePhoto(galleryId: number, photoId: number, afterId: number): Promise<ApiResult<unknown>> {
  return api('POST /api/v1/galleries/{id}/update_ordering', {
    params: { id: galleryId },
    query: { photo_id: photoId, after_id: afterId },
  });
}

export type ManyChanges = {
  show_in_gallery?: boolean;
  /** Cents; null means the gallery's price. */
  price_override?: Cents | null;
  add_keywords?: string[];
};

/** The server's limit for one call. */
const AT_ONCE = 5_000;

/** How many of the photos were reached: fewer if others moved or removed some. */
async function inPortions(ids: readonly number[], call: (portion: readonly number[]) => Promise<ApiResult<number>>) {
  const sum: Answered<number> = { ok: true, status: 200, data: 0 };
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const answer = await call(ids.slice(start, start + AT_ONCE));
    if (!answer.ok) return answer;
    sum.data += answer.data;
  }
  return sum;
}

const overrideOf = (price: Cents | null | undefined) =>
  price === undefined ? {} : { price_override: price === null ? null : toDollars(price) };

/** Returns how many of the photos the gallery still has. */
export function changePhotos(
  galleryId: number,
  ids: readonly number[],
  { add_keywords: keywords, price_override: price, ...shown }: ManyChanges,
): Promise<ApiResult<number>> {
  const photo = { ...shown, ...overrideOf(price) };
  const changes = { ...(Object.keys(photo).length > 0 && { photo }), ...(keywords && { add_keywords: keywords }) };
  return inPortions(ids, async (portion) => {
    const input = { params: { id: galleryId }, body: { ids: portion, ...changes } };
    const answer = await api('PUT /api/v1/galleries/{id}/gallery_photos', input);
    return answer.ok ? { ...answer, data: answer.data.updated } : answer;
  });
}

/** Returns how many of the photos the gallery still had. */
export function removePhotos(galleryId: number, ids: readonly number[]): Promise<ApiResult<number>> {
  return inPortions(ids, async (portion) => {
    const input = { params: { id: galleryId }, body: { ids: portion } };
    const answer = await api('POST /api/v1/galleries/{id}/gallery_photos/remove', input);
    return answer.ok ? { ...answer, data: answer.data.removed } : answer;
  });
}

type Photo = Pick<PhotoAnswer, 'id' | 'gallery_id'>;

/** `price_override` is in cents here and in dollars in the API. */
export function changePhoto(photo: Photo, changes: PhotoChanges): Promise<ApiResult<PhotoAnswer>> {
  const { price_override: price, ...others } = changes;
  return api('PUT /api/v1/galleries/{id}/gallery_photos/{photoId}', {
    params: { id: photo.gallery_id, photoId: photo.id },
    body: { photo: { ...others, ...overrideOf(price) } },
  });
}

export function removePhoto(photo: Photo): Promise<ApiResult<null>> {
  return api('DELETE /api/v1/galleries/{id}/gallery_photos/{photoId}', {
    params: { id: photo.gallery_id, photoId: photo.id },
  });
}

/** Returns all keywords of the photo. A comma starts the next keyword. */
export function addKeywords(photo: Photo, text: string): Promise<ApiResult<{ keywords: KeywordAnswer[] }>> {
  return api('POST /api/v1/galleries/{id}/add_keywords', {
    params: { id: photo.gallery_id },
    body: { photo: { id: photo.id, keywords: [text] } },
  });
}

export function deleteKeyword(photo: Photo, keywordId: number): Promise<ApiResult<null>> {
  return api('DELETE /api/v1/galleries/{id}/delete_keyword', {
    params: { id: photo.gallery_id },
    query: { photo_id: photo.id, keyword_id: keywordId },
  });
}

/** Quarter turns clockwise; returns the rotated photo. */
export function rotatePhoto(photo: Photo, turns: 1 | 3 = 1): Promise<ApiResult<PhotoAnswer>> {
  return api('POST /api/v1/galleries/{id}/gallery_photos/{photoId}/rotate', {
    params: { id: photo.gallery_id, photoId: photo.id },
    body: { turns },
  });
}

/** With `download` the uploaded file; without, 1440 pixels without watermark. `t` bypasses caches. */
export function memberPicture({ id, gallery_id: galleryId }: Photo, { download }: { download: boolean }): string {
  const query = new URLSearchParams({
    adminview: 'true',
    ...(download ? { download: 'true' } : {}),
    t: String(Date.now()),
  });
  return `/api/v1/galleries/${galleryId}/gallery_photos/${id}?${query}`;
}

/** Fetched here instead of by a link, because the browser's navigation would accept WebP. False when it failed. */
export async function saveCleanPicture(photo: Photo & Pick<PhotoFact, 'name'>): Promise<boolean> {
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

/** The address of a photo's picture without a watermark, for members; unchanged if visitors see none either. */
export function cleanAddress(imageUrl: string): string {
  return /[?&]v=\d+\.m(?:&|$)/.test(imageUrl) ? `${imageUrl}&adminview=true` : imageUrl;
}
