/** Applies one change to many photos, in calls as large as the server allows. */
import type { DeskTag } from '#src/features/tagging-desk/desk-model.rules.ts';
import { wireChanges } from '#src/features/tagging-desk/steps.rules.ts';
import { newClientKey } from '#src/features/tagging-desk/tag-outbox.client.ts';
import { BATCH_PHOTOS, BATCH_TAGS } from '#src/features/tagging-desk/tagging-desk.contract.ts';
import type { TagsAnswer } from '#src/features/tagging/tagging.contract.ts';
import { callApi } from '#src/web/api-client.ts';

export type TagsOfMany = Pick<TagsAnswer, 'hidden' | 'refused'> & {
  /** Why it stopped early. Finished calls stay, and repeating them changes nothing. */
  error: string | null;
};

export async function tagPhotos(
  galleryId: number,
  ids: readonly number[],
  { tags, what }: { tags: readonly DeskTag[]; what: 'add' | 'remove' },
): Promise<TagsOfMany> {
  const atOnce = Math.min(BATCH_PHOTOS, Math.max(1, Math.floor(BATCH_TAGS / tags.length)));
  const done: TagsOfMany = { hidden: [], refused: [], error: null };
  for (let start = 0; start < ids.length; start += atOnce) {
    const portion = ids.slice(start, start + atOnce);
    const changes = wireChanges(portion.map((photoId) => ({ photoId, add: [], remove: [], [what]: tags })));
    const body = { changes, client_key: newClientKey() };
    const answer = await callApi<TagsAnswer>('PUT', `/api/v1/galleries/${galleryId}/tags`, { body });
    if (!answer.ok) return { ...done, error: answer.error };
    done.hidden.push(...answer.data.hidden);
    done.refused.push(...answer.data.refused);
  }
  return done;
}
