import { useEffect, useMemo, useState, type RefObject } from 'react';
import type { EditorPhotos } from '#src/features/photo-editor/editor-photos.client.ts';
import { useTagging } from '#src/features/photo-editor/tagging.client.ts';
import type { TileActions } from '#src/features/photo-editor/ui/editor-tile.tsx';
import { PhotoPanel, useFollowedTile } from '#src/features/photo-editor/ui/photo-panel.tsx';

type OpenPhotoProps = {
  pages: EditorPhotos;
  frame: RefObject<HTMLElement | null>;
  id: number;
  onOpen: (id: number | null) => void;
  actions: TileActions;
};

/**
 * The photo in the panel, and its way through the list. The order is that of the list; where a photo leaves it (a tagged one
 * "Without keywords"), the way continues in the order that it was opened from.
 */
export function OpenPhoto({ pages, frame, id, onOpen, actions }: OpenPhotoProps) {
  const { cells, facts, hold } = pages;
  const live = useMemo(() => cells.map((cell) => cell.id), [cells]);
  const [kept, setKept] = useState(live);
  const isThere = live.includes(id);
  if (isThere && kept !== live) setKept(live);
  const order = isThere ? live : kept;
  const index = order.indexOf(id);
  const [before, next, afterNext] = [order[index - 1], order[index + 1], order[index + 2]];
  const tagging = useTagging(facts, (photoId, keywords) => pages.change(photoId, { keywords }));
  useFollowedTile(frame, id);
  useEffect(() => {
    hold([id, next, afterNext, before].filter((one) => one !== undefined));
    return () => hold([]);
  }, [hold, id, before, next, afterNext]);

  function close(): void {
    onOpen(null);
    frame.current?.querySelector<HTMLElement>(`[data-photo="${id}"] [data-main]`)?.focus();
    // What has keywords by now leaves the list of those without.
    if (pages.wish.show === 'withoutKeywords') pages.refresh();
  }

  return (
    <PhotoPanel
      photo={facts.get(id)}
      beside={[next, before].flatMap((one) => (one === undefined ? [] : (facts.get(one) ?? [])))}
      index={Math.max(0, index)}
      total={Math.max(order.length, isThere ? pages.shownTotal : 0)}
      tagging={tagging}
      onStep={(step) => {
        const to = order[index + step];
        if (to !== undefined) onOpen(to);
      }}
      onClose={close}
      onChanged={actions.changed}
      onRemove={actions.remove}
      onRotate={actions.rotate}
    />
  );
}
