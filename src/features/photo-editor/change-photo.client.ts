/** The owner's changes to one photo, by the calls of docs/api.md. */
import type { KeywordAnswer, PhotoAnswer, PhotoChanges } from '#src/features/photos/photos.contract.ts';
import { toDollars } from '#src/shared/money.ts';
import { callApi, type ApiResult } from '#src/web/api-client.ts';

type Photo = Pick<PhotoAnswer, 'id' | 'gallery_id'>;

/** `price_override` is in cents here, as everywhere inside, and in dollars on its way. */
export function changePhoto(photo: Photo, changes: PhotoChanges): Promise<ApiResult<PhotoAnswer>> {
  const { price_override: price, ...others } = changes;
  const body = {
    photo: { ...others, ...(price === undefined ? {} : { price_override: price === null ? null : toDollars(price) }) },
  };
  return callApi('PUT', `/api/v1/galleries/${photo.gallery_id}/gallery_photos/${photo.id}`, { body });
}

export function removePhoto(photo: Photo): Promise<ApiResult<null>> {
  return callApi('DELETE', `/api/v1/galleries/${photo.gallery_id}/gallery_photos/${photo.id}`);
}

/** Returns all keywords of the photo. A comma begins the next keyword. */
export function addKeywords(photo: Photo, text: string): Promise<ApiResult<{ keywords: KeywordAnswer[] }>> {
  return callApi('POST', `/api/v1/galleries/${photo.gallery_id}/add_keywords`, {
    body: { photo: { id: photo.id, keywords: [text] } },
  });
}

export function deleteKeyword(photo: Photo, keywordId: number): Promise<ApiResult<null>> {
  return callApi(
    'DELETE',
    `/api/v1/galleries/${photo.gallery_id}/delete_keyword?photo_id=${photo.id}&keyword_id=${keywordId}`,
  );
}

/** A quarter turn clockwise; returns the photo as it then is. */
export function rotatePhoto(photo: Photo): Promise<ApiResult<PhotoAnswer>> {
  return callApi('POST', `/api/v1/galleries/${photo.gallery_id}/gallery_photos/${photo.id}/rotate`);
}
