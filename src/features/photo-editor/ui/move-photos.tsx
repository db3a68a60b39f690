import type { FormEvent } from 'react';
import type { EditorPhotos } from '#src/features/photo-editor/editor-photos.client.ts';
import * as words from '#src/features/photo-editor/photo-editor.contract.ts';
import { photosInWords } from '#src/features/photos/photo-grid.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { Combobox, type ComboboxOption, type Found } from '#src/ui/form/combobox.tsx';
import { api, type ApiResult } from '#src/web/api-client.ts';
import { useForm } from '#src/web/use-form.ts';

type MovePhotosProps = {
  pages: Pick<EditorPhotos, 'galleryId'>;
  ids: readonly number[];
  onClose: () => void;
  /** `moved` are no longer in this gallery. Also called if a later portion of them failed. */
  onDone: (moved: readonly number[], news: string) => void;
};

/** Asks for the gallery that the photos move to, and moves those that may. */
export function MovePhotos({ pages: { galleryId }, ids, onClose, onDone }: MovePhotosProps) {
  const form = useForm<{ gallery_id: ComboboxOption | null }>({ gallery_id: null }, ({ gallery_id }) =>
    gallery_id ? {} : { gallery_id: [words.CHOOSE_GALLERY] },
  );
  const gallery = form.values.gallery_id;

  async function move(event: FormEvent): Promise<void> {
    event.preventDefault();
    const moved: number[] = [];
    const answer = await form.send(() => moveInPortions(galleryId, ids, gallery?.id ?? 0, moved));
    if (!gallery || (!answer && moved.length === 0)) return;
    const stayed = answer?.data.length ?? 0;
    const rest = answer ? (stayed > 0 ? words.stayedWords(stayed) : '') : words.OTHERS_NOT_MOVED;
    onDone(moved, `${words.movedWords(moved.length, gallery.label)} ${rest}`.trim());
  }

  return (
    <Dialog open title={words.MOVE_TITLE} onClose={onClose}>
      {/* As high as the list of galleries. */}
      <form method="dialog" noValidate onSubmit={(event) => void move(event)} className="flex min-h-96 flex-col gap-4">
        <Combobox
          label="Gallery"
          required
          value={gallery}
          placeholder="Type to search"
          errors={Object.values(form.errors).flat()}
          onChange={(gallery_id) => form.set({ gallery_id })}
          search={(text, signal) => findGalleries(galleryId, text, signal)}
        />
        <p className="text-sm text-pretty text-quiet">{words.MOVE_HINT}</p>
        <Button type="submit" className="self-end" busy={form.isSending && 'Moving...'}>
          Move {photosInWords(ids.length)}
        </Button>
      </form>
    </Dialog>
  );
}

async function findGalleries(galleryId: number, text: string, signal: AbortSignal): Promise<Found<ComboboxOption>> {
  const q = text.trim();
  const call = { params: { id: galleryId }, query: q === '' ? {} : { q }, signal };
  const answer = await api('GET /api/v1/galleries/{id}/other_galleries', call);
  if (!answer.ok) return { problem: answer.error };
  return {
    options: answer.data.map(({ id, name, photo_count }) => ({ id, label: name, detail: photosInWords(photo_count) })),
  };
}

/** Adds to `moved` what each call has moved; the answer has those that stay. */
async function moveInPortions(
  galleryId: number,
  ids: readonly number[],
  targetId: number,
  moved: number[],
): Promise<ApiResult<number[]>> {
  const stayed: number[] = [];
  for (let start = 0; start < ids.length; start += words.MOVED_AT_ONCE) {
    const body = { ids: ids.slice(start, start + words.MOVED_AT_ONCE), gallery_id: targetId };
    const answer = await api('POST /api/v1/galleries/{id}/gallery_photos/move', { params: { id: galleryId }, body });
    if (!answer.ok) return answer;
    moved.push(...answer.data.moved.map(({ id }) => id));
    stayed.push(...answer.data.stayed);
  }
  return { ok: true, status: 200, data: stayed };
}
