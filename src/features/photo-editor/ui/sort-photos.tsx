import {
  closestCenter,
  DndContext,
  DragOverlay,
  pointerWithin,
  type CollisionDetection,
  type DndContextProps,
  type DragEndEvent,
} from '@dnd-kit/core';
import { useId, useLayoutEffect, useMemo, useState, type RefObject } from 'react';
import type { EditorPhotos } from '#src/features/photo-editor/editor-photos.client.ts';
import type { GridLayout } from '#src/features/photo-wall/grid-rows.rules.ts';
import { movePhoto, cleanAddress } from '#src/features/photos/photo-calls.client.ts';
import { placeBefore } from '#src/features/photos/photo-order.rules.ts';
import type { PhotoFact } from '#src/features/photos/photo-grid.contract.ts';
import { DISABLE_CUSTOM_SORT, FIRST_PHOTO_STAYS, SORT_HINT } from '#src/features/photo-editor/photo-editor.contract.ts';
import { placeByKey, useTileFocus } from '#src/features/photo-wall/grid.client.ts';
import { altOf } from '#src/features/photos/shown-photo.rules.ts';
import { MoveToPlace, SortTile, type DropSide } from '#src/features/photo-editor/ui/sort-tile.tsx';
import { PhotoWall } from '#src/features/photo-wall/ui/photo-wall.tsx';
import { Button } from '#src/ui/button.tsx';
import { Check } from '#src/ui/icon.tsx';
import { renditionUrl } from '#src/ui/photos/photo-sources.ts';
import { showToast } from '#src/ui/toast.ts';
import { OWN_ANNOUNCEMENTS, useDragSensors } from '#src/ui/dragging.ts';

/** The tile under the pointer, and the side of its middle. */
const overTile: CollisionDetection = (given) => {
  const [nearest] = pointerWithin(given).length > 0 ? pointerWithin(given) : closestCenter(given);
  const rect = nearest && given.droppableRects.get(nearest.id);
  if (!nearest || !rect) return [];
  const x = given.pointerCoordinates?.x ?? given.collisionRect.left + given.collisionRect.width / 2;
  const side: DropSide = x < rect.left + rect.width / 2 ? 'before' : 'after';
  return [{ ...nearest, data: { ...nearest.data, side } }];
};

type Target = { id: number; side: DropSide };
/** Picked up with a key; `from` is the photo before it. */
type Lifted = { id: number; from: number };

type SortPhotosProps = { pages: EditorPhotos; frame: RefObject<HTMLElement | null>; onLeave: () => void };

/** The public photos, ordered by mouse, touch, keys, or a position number. The first one stays. */
export function SortPhotos({ pages, frame, onLeave }: SortPhotosProps) {
  const moves = useMoves(pages);
  const { ids, total, nameOf, announce } = moves;
  const { focus, currentId, liftedId, onKey } = useKeyMoves(pages, frame, moves);
  const { context, dragged, target } = useDragMoves(moves);
  const [placing, setPlacing] = useState<number | null>(null);
  const hintId = useId();
  return (
    <DndContext {...context}>
      <p id={hintId} className="mb-3 text-sm text-pretty text-quiet">
        {SORT_HINT}
      </p>
      <p role="status" aria-live="assertive" className="sr-only">
        {moves.message}
      </p>
      <PhotoWall
        label="Photos in order"
        cells={pages.cells}
        total={total}
        keptIds={[focus.currentId, dragged?.id ?? null, liftedId]}
        onVisible={pages.onVisible}
        onKey={onKey}
        onFocusPhoto={focus.note}
        anchorsScroll={false}
      >
        {(cell, index, place) => (
          <SortTile
            key={cell.id}
            id={cell.id}
            index={index}
            total={total}
            fact={pages.facts.get(cell.id)}
            place={place}
            hintId={hintId}
            isCurrent={cell.id === currentId}
            isLifted={cell.id === liftedId}
            marker={target?.id === cell.id && dragged?.id !== cell.id ? target.side : null}
            onPress={() => (index === 0 ? announce(FIRST_PHOTO_STAYS) : setPlacing(cell.id))}
          />
        )}
      </PhotoWall>
      <DragOverlay dropAnimation={null}>
        {dragged && <DraggedPhoto size={dragged} fact={pages.facts.get(dragged.id)} />}
      </DragOverlay>
      {placing !== null && (
        <MoveToPlace
          name={nameOf(placing)}
          place={ids.indexOf(placing) + 1}
          total={total}
          known={ids.length}
          onClose={() => setPlacing(null)}
          onPlace={(place) => {
            const afterId = moves.photoBefore(placing, place - 1);
            setPlacing(null);
            if (afterId !== undefined) moves.moveTo(placing, afterId);
          }}
        />
      )}
      <Button
        size="large"
        onClick={onLeave}
        className="floating-action fixed right-5 bottom-5 z-30 rounded-full shadow-xl max-md:bottom-[calc(4.5rem+var(--tray-height,0px))]"
      >
        <Check aria-hidden="true" />
        {DISABLE_CUSTOM_SORT}
      </Button>
    </DndContext>
  );
}

type Moves = ReturnType<typeof useMoves>;

/** What every move does: on the page immediately, announced to screen readers, and then on the server. */
function useMoves(pages: EditorPhotos) {
  const { cells, facts } = pages;
  const ids = useMemo(() => cells.map(({ id }) => id), [cells]);
  const total = pages.shownTotal;
  const [message, announce] = useState('');
  const nameOf = (id: number) => altOf(facts.get(id)?.name ?? 'Photo', []);

  /** The photo that comes before this one once it has this position. */
  const photoBefore = (id: number, place: number): number | undefined => ids[placeBefore(ids.indexOf(id), place)];

  /** Sends it to the server; a refused move is undone by reloading. */
  async function send(id: number, afterId: number): Promise<void> {
    const answer = await movePhoto(pages.galleryId, id, afterId);
    if (answer.ok) return;
    showToast(answer.error, 'error');
    pages.refresh([id]);
  }

  function moveTo(id: number, afterId: number): void {
    const [from, after] = [ids.indexOf(id), ids.indexOf(afterId)];
    if (ids[from - 1] === afterId || id === afterId) return;
    announce(`${nameOf(id)} moved to position ${(from < after ? after : after + 1) + 1} of ${total}.`);
    pages.move(id, afterId);
    void send(id, afterId);
  }
  return { ids, total, message, announce, nameOf, photoBefore, moveTo, send };
}

/** With keys: Space picks a photo up and drops it, arrow keys move it, Escape puts it back. */
function useKeyMoves(pages: EditorPhotos, frame: RefObject<HTMLElement | null>, moves: Moves) {
  const { ids, total, nameOf, announce } = moves;
  const focus = useTileFocus(frame, ids);
  const [lifted, setLifted] = useState<Lifted | null>(null);
  const liftedId = lifted?.id ?? null;
  const currentId = focus.currentId !== null && ids.includes(focus.currentId) ? focus.currentId : (ids[0] ?? null);

  function lift(id: number, index: number): void {
    const from = ids[index - 1];
    if (from === undefined) return announce(FIRST_PHOTO_STAYS);
    setLifted({ id, from });
    announce(
      `${nameOf(id)} picked up at position ${index + 1} of ${total}. Arrows move it, Space drops it, Escape cancels.`,
    );
  }

  function settle({ id, from }: Lifted): void {
    setLifted(null);
    const index = ids.indexOf(id);
    const afterId = ids[index - 1];
    announce(`${nameOf(id)} dropped at position ${index + 1} of ${total}.`);
    if (afterId !== undefined && afterId !== from) void moves.send(id, afterId);
  }

  function putBack({ id, from }: Lifted): void {
    pages.move(id, from);
    announce(`${nameOf(id)} is back where it was.`);
    setLifted(null);
  }

  function moveLifted({ id }: Lifted, from: number, to: number): void {
    const wanted = Math.max(1, to);
    const afterId = wanted === from ? undefined : moves.photoBefore(id, wanted);
    announce(to < 1 ? FIRST_PHOTO_STAYS : `Place ${wanted + 1} of ${total}.`);
    if (afterId !== undefined) pages.move(id, afterId);
  }

  function onKey(event: KeyboardEvent, layout: GridLayout): void {
    const isMain = event.target instanceof HTMLElement && event.target.dataset['main'] !== undefined;
    if (currentId === null || !isMain) return;
    const index = ids.indexOf(currentId);
    if (event.key === ' ' || event.key === 'Enter') {
      event.preventDefault();
      return lifted ? settle(lifted) : lift(currentId, index);
    }
    if (event.key === 'Escape' && lifted) {
      event.preventDefault();
      return putBack(lifted);
    }
    const place = placeByKey(event, index, layout);
    if (place === null) return;
    event.preventDefault();
    if (lifted) return moveLifted(lifted, index, place);
    const id = ids[place];
    if (id !== undefined) focus.go(id, layout);
  }

  // A photo that moves by keys keeps the focus and stays in view.
  useLayoutEffect(() => {
    if (liftedId === null) return;
    const tile = frame.current?.querySelector<HTMLElement>(`[data-photo="${liftedId}"]`);
    tile?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
    tile?.querySelector<HTMLElement>('[data-main]')?.focus({ preventScroll: true });
  }, [liftedId, ids, frame]);
  return { focus, currentId, liftedId, onKey };
}

/** With mouse or touch: the dragged photo, its target, and what dnd-kit needs. */
function useDragMoves({ ids, nameOf, announce, moveTo }: Moves) {
  const [dragged, setDragged] = useState<{ id: number; width: number; height: number } | null>(null);
  const [target, setTarget] = useState<Target | null>(null);
  const sensors = useDragSensors();

  function end(): void {
    setDragged(null);
    setTarget(null);
  }

  function drop({ active, collisions }: DragEndEvent): void {
    end();
    const id = Number(active.id);
    const over = targetOf(collisions, ids);
    if (!over) return announce(`${nameOf(id)} stays where it was.`);
    const afterId = over.side === 'after' ? over.id : ids[ids.indexOf(over.id) - 1];
    if (afterId !== undefined && afterId !== id) moveTo(id, afterId);
  }

  const context: DndContextProps = {
    id: useId(),
    sensors,
    collisionDetection: overTile,
    accessibility: OWN_ANNOUNCEMENTS,
    onDragStart: ({ active }) => {
      const rect = active.rect.current.initial;
      setDragged({ id: Number(active.id), width: rect?.width ?? 0, height: rect?.height ?? 0 });
      announce(`${nameOf(Number(active.id))} picked up.`);
    },
    onDragMove: ({ collisions }) => setTarget(targetOf(collisions, ids)),
    onDragEnd: drop,
    onDragCancel: end,
  };
  return { context, dragged, target };
}

/** Under the pointer, as large as its tile. */
function DraggedPhoto({ size, fact }: { size: { width: number; height: number }; fact: PhotoFact | undefined }) {
  return (
    <div
      className="cursor-grabbing overflow-hidden rounded bg-sunken shadow-2xl ring-4 ring-accent"
      style={{ width: size.width, height: size.height }}
    >
      {fact && <img alt="" src={renditionUrl(cleanAddress(fact.image_url), 480)} className="size-full object-cover" />}
    </div>
  );
}

/** Nothing comes before the first photo. */
function targetOf(collisions: DragEndEvent['collisions'], ids: readonly number[]): Target | null {
  const [nearest] = collisions ?? [];
  if (!nearest) return null;
  const id = Number(nearest.id);
  const side = (nearest.data as { side?: DropSide } | undefined)?.side ?? 'after';
  return { id, side: id === ids[0] ? 'after' : side };
}
