import { useState, type FormEvent } from 'react';
import type { EditorPhotos } from '#src/features/photo-editor/editor-photos.client.ts';
import * as words from '#src/features/photo-editor/photo-editor.contract.ts';
import type { MoveAnswer } from '#src/features/photo-editor/photo-editor.contract.ts';
import { photosInWords } from '#src/features/photos/photo-grid.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { showToast } from '#src/ui/toast.ts';
import { Combobox, type ComboboxOption, type Found } from '#src/ui/form/combobox.tsx';
import { api, type ApiResult } from '#src/web/api-client.ts';
import { useForm } from '#src/web/use-form.ts';

type Pages = Pick<EditorPhotos, 'galleryId' | 'remove' | 'refresh'>;
type MovePhotosProps = {
  pages: Pages;
  ids: readonly number[];
  onClose: () => void;
  /** Some or all have moved, and are no longer in the list. */
  onDone: (news: string) => void;
};
type Moved = { pairs: MoveAnswer['moved']; to: ComboboxOption; rest: string };

/** Asks for the gallery that the photos move to, and moves those that may. Then it leads there, or moves them back. */
export function MovePhotos({ pages, ids, onClose, onDone }: MovePhotosProps) {
  const form = useForm<{ gallery_id: ComboboxOption | null }>({ gallery_id: null }, ({ gallery_id }) =>
    gallery_id ? {} : { gallery_id: [words.CHOOSE_GALLERY] },
  );
  const [moved, setMoved] = useState<Moved | null>(null);
  const [isUnsure, setUnsure] = useState(false);
  const gallery = form.values.gallery_id;

  async function move(event: FormEvent): Promise<void> {
    event.preventDefault();
    const pairs: Moved['pairs'] = [];
    const answer = await form.send(() => moveInPortions(pages.galleryId, ids, gallery?.id ?? 0, pairs));
    const stayed = answer?.data.length ?? 0;
    // An answer may be lost, and someone else may have removed some.
    setUnsure(gallery !== null && pairs.length + stayed < ids.length);
    if (!gallery || (!answer && pairs.length === 0)) return;
    setMoved({ pairs, to: gallery, rest: answer ? words.stayedWords(stayed) : words.OTHERS_NOT_MOVED });
  }

  /** @param came those that were moved back */
  function leave(news: string | null, came: readonly number[] = []): void {
    if (moved) pages.remove(moved.pairs.map(({ id }) => id));
    if (isUnsure || came.length > 0) pages.refresh(came.length > 0 ? came : ids);
    if (news === null) return onClose();
    onDone(news);
    // The bar with the message disappears with the last chosen photo.
    if (moved?.pairs.length === ids.length) showToast(news, 'success');
  }

  if (moved) return <MovedPhotos galleryId={pages.galleryId} moved={moved} onDone={leave} />;
  return (
    <Dialog open title={words.MOVE_TITLE} onClose={() => leave(null)}>
      {/* As high as the list of galleries. */}
      <form method="dialog" noValidate onSubmit={(event) => void move(event)} className="flex min-h-96 flex-col gap-4">
        <Combobox
          label="Gallery"
          required
          value={gallery}
          placeholder="Type to search"
          errors={Object.values(form.errors).flat()}
          onChange={(gallery_id) => form.set({ gallery_id })}
          search={(text, signal) => findGalleries(pages.galleryId, text, signal)}
          data-autofocus=""
        />
        <p className="text-sm text-pretty text-quiet">{words.MOVE_HINT}</p>
        <Button type="submit" className="self-end" busy={form.isSending && 'Moving...'}>
          Move {photosInWords(ids.length)}
        </Button>
      </form>
    </Dialog>
  );
}

type MovedPhotosProps = { galleryId: number; moved: Moved; onDone: (news: string, came?: readonly number[]) => void };

/** What was moved, with the way to the other gallery and back. */
function MovedPhotos({ galleryId, moved: { pairs, to, rest }, onDone }: MovedPhotosProps) {
  const form = useForm({});
  const title = words.movedWords(pairs.length, to.label);
  const news = `${title} ${rest}`.trim();

  async function moveBack(): Promise<void> {
    const back: Moved['pairs'] = [];
    const ids = pairs.map(({ new_id: id }) => id);
    const answer = await form.send(() => moveInPortions(to.id, ids, galleryId, back));
    if (!answer) return;
    const came = back.map(({ new_id: id }) => id);
    onDone(`${words.movedBackWords(came.length)} ${words.stayedWords(answer.data.length)}`.trim(), came);
  }

  return (
    <Dialog
      key="moved"
      open
      title={title}
      onClose={() => onDone(news)}
      footer={
        <div className="grid w-full grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] gap-3 sm:flex sm:justify-end">
          {pairs.length > 0 && (
            <>
              <Button variant="secondary" busy={form.isSending && 'Moving...'} onClick={() => void moveBack()}>
                Move back
              </Button>
              <LinkButton variant="secondary" to={`../../${to.id}/edit`} relative="path">
                Open gallery
              </LinkButton>
            </>
          )}
          <Button className="col-span-full" data-autofocus="" onClick={() => onDone(news)}>
            Done
          </Button>
        </div>
      }
    >
      <p className="text-pretty text-quiet empty:hidden">{rest}</p>
      <p role="alert" className="text-sm font-semibold text-danger empty:hidden">
        {Object.values(form.errors).flat().join(' ')}
      </p>
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
  moved: MoveAnswer['moved'],
): Promise<ApiResult<number[]>> {
  const stayed: number[] = [];
  for (let start = 0; start < ids.length; start += words.MOVED_AT_ONCE) {
    const body = { ids: ids.slice(start, start + words.MOVED_AT_ONCE), gallery_id: targetId };
    const answer = await api('POST /api/v1/galleries/{id}/gallery_photos/move', { params: { id: galleryId }, body });
    if (!answer.ok) return answer;
    moved.push(...answer.data.moved);
    stayed.push(...answer.data.stayed);
  }
  return { ok: true, status: 200, data: stayed };
}
