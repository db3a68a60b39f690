/** Which files are in a gallery already, by their bytes: asked before they travel, so that their owner may skip them. */
import { refusalByContent, sha256Of } from '#src/features/uploads/read-photo.client.ts';
import type { KnownPhotosAnswer } from '#src/features/uploads/uploads.contract.ts';
import { callApi } from '#src/web/api-client.ts';

export type Inspected = {
  /** Null where it cannot be told. */
  sha256: string | null;
  isKnown: boolean;
  /** Why the file cannot be a photo here. */
  refusal: string | null;
};

/** One file is read at a time, off the main thread. What cannot be told is not offered: the upload continues. */
export async function inspectPhotos(galleryId: number, files: readonly File[]): Promise<Inspected[]> {
  const found: Inspected[] = [];
  for (const file of files) {
    const refusal = await refusalByContent(file);
    found.push({ sha256: refusal === null ? await sha256Of(file) : null, isKnown: false, refusal });
  }
  const hashes = found.flatMap(({ sha256 }) => sha256 ?? []);
  if (hashes.length === 0) return found;
  const answer = await callApi<KnownPhotosAnswer>('POST', `/api/v1/galleries/${galleryId}/gallery_photos/known`, {
    body: { sha256: hashes },
  });
  const known = new Set(answer.ok ? answer.data.known : []);
  return found.map((one) => ({ ...one, isKnown: one.sha256 !== null && known.has(one.sha256) }));
}
