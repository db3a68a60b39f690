import type { EditorPhotos } from '#src/features/photo-editor/editor-photos.client.ts';
import { SHOW_LABELS, photosInWords } from '#src/features/photos/photo-grid.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Eye, EyeOff, SearchX, Tag } from '#src/ui/icon.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { counted } from '#src/shared/counted.ts';
import { useFocusAfter } from '#src/ui/use-focus-after.ts';

/** Gets the focus after a button that set the filter and then disappeared: the filter names what is shown now. */
export const filterOf = (around: Element | null) => around?.querySelector('select') ?? null;

/** For a filter that matches no photo: says so, and leads to a filter that may. */
export function NothingShown({ pages }: { pages: Pick<EditorPhotos, 'view' | 'choose' | 'counts'> }) {
  const { view, choose, counts } = pages;
  const { show, keyword } = view;
  if (keyword !== '')
    return (
      <EmptyState
        icon={<SearchX />}
        title={`Nothing found for “${keyword}”`}
        action={
          <Button variant="secondary" onClick={() => choose({ keyword: '' })}>
            Clear search
          </Button>
        }
      >
        Search finds keywords and file names, within “{SHOW_LABELS[show]}”.
      </EmptyState>
    );
  if (show === 'withoutKeywords' || show === 'failed')
    return (
      <EmptyState
        icon={<Tag />}
        title={show === 'failed' ? 'No failed photos' : 'Every photo has keywords'}
        action={<Button onClick={() => choose({ show: 'default' })}>{SHOW_LABELS.default}</Button>}
      >
        {show === 'failed' ? 'All uploads went well.' : 'Families find their photos with keywords.'}
      </EmptyState>
    );
  if (show === 'onlyNotShowInGallery')
    return (
      <EmptyState
        icon={<Eye />}
        title="No hidden photos"
        action={
          <Button variant="secondary" onClick={() => choose({ show: 'onlyShowInGallery' })}>
            {SHOW_LABELS.onlyShowInGallery}
          </Button>
        }
      >
        Every photo in this gallery is public.
      </EmptyState>
    );
  const hidden = counts.onlyNotShowInGallery;
  return (
    <EmptyState
      icon={<EyeOff />}
      title="No public photos"
      action={
        hidden > 0 && (
          <Button onClick={() => choose({ show: 'onlyNotShowInGallery' })}>{SHOW_LABELS.onlyNotShowInGallery}</Button>
        )
      }
    >
      {counted(hidden, 'photo is hidden.', 'photos are hidden.')} Visitors see nothing until you show some.
    </EmptyState>
  );
}

/** How many photos failed, with a button that shows them and why. */
export function FailedPhotos({ pages }: { pages: Pick<EditorPhotos, 'counts' | 'view' | 'choose'> }) {
  const { failed } = pages.counts;
  const toFilter = useFocusAfter(filterOf);
  if (failed === 0 || pages.view.show === 'failed' || pages.view.show === 'default') return null;
  return (
    <div ref={toFilter}>
      <Notice tone="warning">
        <span className="flex items-center justify-between gap-4">
          <span>
            {photosInWords(failed)} could not be processed. Visitors do not see {failed === 1 ? 'it' : 'them'}.
          </span>
          <Button
            variant="secondary"
            size="small"
            className="shrink-0"
            onClick={() => pages.choose({ show: 'failed' })}
          >
            See why
          </Button>
        </span>
      </Notice>
    </div>
  );
}

/** The rest of the list loads automatically. After a failure, this button loads it. */
export function RestOfPhotos({ pages }: { pages: Pick<EditorPhotos, 'problem' | 'retry'> }) {
  if (pages.problem === null) return null;
  return (
    <div className="flex flex-col items-center gap-3 py-6 text-center">
      <p role="alert" className="text-sm text-quiet">
        {pages.problem}
      </p>
      <Button variant="secondary" onClick={pages.retry}>
        Try again
      </Button>
    </div>
  );
}
