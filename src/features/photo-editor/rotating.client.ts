/** Rotating selected photos of the editor by quarter turns, and undoing it. */
import type { EditorPhotos } from '#src/features/photo-editor/editor-photos.client.ts';
import { rotatePhoto } from '#src/features/photos/photo-calls.client.ts';

type Pages = Pick<EditorPhotos, 'galleryId' | 'change' | 'refresh'>;

/** Each call waits until the server has made the picture again, which works on several at the same time. */
const AT_ONCE = 4;

/**
 * @param turns clockwise. Returns the rotated photos, those whose response was lost, which may be rotated, and the first
 * refusal, after which no more are sent.
 */
export async function rotatePhotos(
  pages: Pages,
  ids: readonly number[],
  { turns, onProgress }: { turns: 1 | 3; onProgress: (done: number) => void },
): Promise<{ rotated: number[]; unknown: number[]; error: string | null }> {
  const rotated: number[] = [];
  const unknown: number[] = [];
  let error: string | null = null;
  for (let start = 0; start < ids.length && error === null; start += AT_ONCE)
    await Promise.all(
      ids.slice(start, start + AT_ONCE).map(async (id) => {
        const answer = await rotatePhoto({ id, gallery_id: pages.galleryId }, turns);
        if (!answer.ok) {
          if (answer.status === 0) unknown.push(id);
          error ??= answer.error;
          return;
        }
        rotated.push(id);
        pages.change(id, answer.data);
        onProgress(rotated.length);
      }),
    );
  pages.refresh([...rotated, ...unknown]);
  return { rotated, unknown, error };
}
