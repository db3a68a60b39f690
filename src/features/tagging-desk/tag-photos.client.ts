/** Applies one change to many photos, in calls as large as the server allows. */
import type { DeskTag } from '#src/features/tagging-desk/desk-model.rules.ts';
import { wireChanges } from '#src/features/tagging-desk/steps.rules.ts';
import { BATCH_PHOTOS, BATCH_TAGS } from '#src/features/tagging-desk/tagging-desk.contract.ts';
import type { TagsAnswer, UndoChange } from '#src/features/tagging/tagging.contract.ts';
import { api } from '#src/web/api-client.ts';
import { randomKey } from '#src/shared/random-key.ts';

type TagsOfMany = Pick<TagsAnswer, 'hidden' | 'refused' | 'undo'>;

/** All calls are sent: the photos of one that fails are refused with its error. */
export async function tagPhotos(
  galleryId: number,
  ids: readonly number[],
  { tags, what }: { tags: readonly DeskTag[]; what: 'add' | 'remove' },
): Promise<TagsOfMany> {
  const atOnce = Math.min(BATCH_PHOTOS, Math.max(1, Math.floor(BATCH_TAGS / tags.length)));
  const done: TagsOfMany = { hidden: [], refused: [], undo: [] };
  for (let start = 0; start < ids.length; start += atOnce) {
    const portion = ids.slice(start, start + atOnce);
    const changes = wireChanges(portion.map((photoId) => ({ photoId, add: [], remove: [], [what]: tags })));
    const body = { changes, client_key: randomKey() };
    const answer = await api('PUT /api/v1/galleries/{id}/tags', { params: { id: galleryId }, body });
    if (!answer.ok) {
      done.refused.push(...portion.map((id) => ({ photo_id: id, error: answer.error })));
      continue;
    }
    done.hidden.push(...answer.data.hidden);
    done.refused.push(...answer.data.refused);
    done.undo.push(...answer.data.undo);
  }
  return done;
}

/** Undoes what was changed, and nothing that was there before. Returns the photos that it left, with the reason, and those that wait again. */
export async function takeBack(
  galleryId: number,
  undo: readonly UndoChange[],
): Promise<{ left: Map<number, string>; held: number[] }> {
  const left = new Map<number, string>();
  const held: number[] = [];
  for (const changes of inCalls(undo)) {
    const body = { changes, client_key: randomKey() };
    const answer = await api('PUT /api/v1/galleries/{id}/tags', { params: { id: galleryId }, body });
    if (answer.ok) {
      for (const { photo_id: id, error } of answer.data.refused) left.set(id, error);
      held.push(...answer.data.held);
    } else for (const id of changes.flatMap((change) => change.photo_ids)) left.set(id, answer.error);
  }
  return { left, held };
}

/** As many of the changes together as one call takes. */
function inCalls(changes: readonly UndoChange[]): UndoChange[][] {
  const calls: UndoChange[][] = [];
  let size = { photos: 0, tags: 0 };
  for (const change of changes) {
    const { photo_ids: photos, add, remove } = change;
    const more = { photos: photos.length, tags: photos.length * (add.length + remove.length) };
    const last = calls.at(-1);
    if (last && size.photos + more.photos <= BATCH_PHOTOS && size.tags + more.tags <= BATCH_TAGS) {
      last.push(change);
      size = { photos: size.photos + more.photos, tags: size.tags + more.tags };
    } else {
      calls.push([change]);
      size = more;
    }
  }
  return calls;
}
