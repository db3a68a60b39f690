/** Which files are in a gallery already, by their bytes: asked before they travel, so that their owner may skip them. */
import { sha256Of } from '#src/features/photos/read-photo.client.ts';
import type { KnownPhotosAnswer } from '#src/features/photos/uploads.contract.ts';
import { callApi } from '#src/web/api-client.ts';

export type Inspected = {
  /** Null where it cannot be told. */
  sha256: string | null;
  isKnown: boolean;
};

/** One file is read at a time, off the main thread. What cannot be told is not offered: the upload goes on. */
export async function inspectPhotos(galleryId: number, files: readonly File[]): Promise<Inspected[]> {
  const hashes: (string | null)[] = [];
  for (const file of files) hashes.push(await sha256Of(file));
  const told = hashes.filter((hash) => hash !== null);
  if (told.length === 0) return hashes.map((sha256) => ({ sha256, isKnown: false }));
  const answer = await callApi<KnownPhotosAnswer>('POST', `/api/v1/galleries/${galleryId}/gallery_photos/known`, {
    body: { sha256: told },
  });
  const known = new Set(answer.ok ? answer.data.known : []);
  return hashes.map((sha256) => ({ sha256, isKnown: sha256 !== null && known.has(sha256) }));
}
