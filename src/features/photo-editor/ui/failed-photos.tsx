import type { EditorPhotos } from '#src/features/photo-editor/editor-photos.client.ts';
import { photosInWords } from '#src/features/photos/photo-grid.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { Notice } from '#src/ui/notice.tsx';

/** Failed photos are in no public list: here is the way to them and to their reasons. */
export function FailedPhotos({ pages }: { pages: Pick<EditorPhotos, 'counts' | 'wish' | 'choose'> }) {
  const { failed } = pages.counts;
  if (failed === 0 || pages.wish.show === 'failed' || pages.wish.show === 'default') return null;
  return (
    <Notice tone="warning">
      <span className="flex items-center justify-between gap-4">
        <span>
          {photosInWords(failed)} could not be processed. Visitors do not see {failed === 1 ? 'it' : 'them'}.
        </span>
        <Button variant="secondary" size="small" className="shrink-0" onClick={() => pages.choose({ show: 'failed' })}>
          See why
        </Button>
      </span>
    </Notice>
  );
}
