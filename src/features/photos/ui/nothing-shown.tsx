import type { EditorPhotos } from '#src/features/photos/editor-photos.client.ts';
import { SHOW_LABELS } from '#src/features/photos/photo-grid.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Eye, EyeOff } from '#src/ui/icon.tsx';

/** A filter without photos says where they are. */
export function NothingShown({ pages }: { pages: Pick<EditorPhotos, 'show' | 'choose' | 'counts'> }) {
  const { show, choose, counts } = pages;
  if (show === 'onlyNotShowInGallery')
    return (
      <EmptyState
        icon={<Eye />}
        title="No hidden photos"
        action={
          <Button variant="secondary" onClick={() => choose('onlyShowInGallery')}>
            {SHOW_LABELS.onlyShowInGallery}
          </Button>
        }
      >
        Every photo of this gallery is public.
      </EmptyState>
    );
  const hidden = counts.onlyNotShowInGallery;
  return (
    <EmptyState
      icon={<EyeOff />}
      title="No public photos"
      action={
        hidden > 0 && <Button onClick={() => choose('onlyNotShowInGallery')}>{SHOW_LABELS.onlyNotShowInGallery}</Button>
      }
    >
      {hidden === 1 ? '1 photo is hidden.' : `${hidden.toLocaleString('en-US')} photos are hidden.`} Visitors see
      nothing until you show some.
    </EmptyState>
  );
}
