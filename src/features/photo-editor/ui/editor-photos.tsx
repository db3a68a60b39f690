import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import type { EditorPhotos as Photos } from '#src/features/photo-editor/editor-photos.client.ts';
import type { GridLayout } from '#src/features/photo-editor/grid-rows.rules.ts';
import { FIRST_SHOW, type PhotoFact } from '#src/features/photos/photo-grid.contract.ts';
import { cleanAddress } from '#src/features/photos/many-photos.client.ts';
import { altOf } from '#src/features/photos/shown-photo.rules.ts';
import { placeByKey, useTileFocus } from '#src/features/photo-editor/tile-focus.client.ts';
import { EditorTile, type TileActions } from '#src/features/photo-editor/ui/editor-tile.tsx';
import { EditorToolbar } from '#src/features/photo-editor/ui/editor-toolbar.tsx';
import { FailedPhotos } from '#src/features/photo-editor/ui/failed-photos.tsx';
import { NothingShown } from '#src/features/photo-editor/ui/nothing-shown.tsx';
import { OpenPhoto } from '#src/features/photo-editor/ui/open-photo.tsx';
import { PhotoWall } from '#src/features/photo-editor/ui/photo-wall.tsx';
import { RemovePhoto } from '#src/features/photo-editor/ui/remove-photo.tsx';
import { RestOfPhotos } from '#src/features/photo-editor/ui/rest-of-photos.tsx';
import { RotatingPhoto } from '#src/features/photo-editor/ui/rotating-photo.tsx';
import { SelectionBar } from '#src/features/photo-editor/ui/selection-bar.tsx';
import { TileMenu } from '#src/features/photo-editor/ui/tile-menu.tsx';
import { useSelection } from '#src/features/photo-editor/use-selection.client.ts';
import { cx } from '#src/ui/cx.ts';
import { Spinner } from '#src/ui/spinner.tsx';

// Anyone who does not sort does not fetch what drags.
const SortPhotos = lazy(() =>
  import('#src/features/photo-editor/ui/sort-photos.tsx').then((module) => ({ default: module.SortPhotos })),
);

/** All photos of a gallery for its owner: a filter, an order of one's own, and what is done with one or with many. */
export function EditorPhotos({ pages, onChanged }: { pages: Photos; onChanged: () => void }) {
  const { cells, facts, look } = pages;
  const frame = useRef<HTMLDivElement>(null);
  const ids = useMemo(() => cells.map(({ id }) => id), [cells]);
  const selection = useSelection(ids, pages.isComplete);
  const focus = useTileFocus(frame, ids);
  const [isSorting, setSorting] = useState(false);
  const [openId, setOpenId] = useState<number | null>(null);
  const [asVisitor, setAsVisitor] = useState(false);
  const [menuId, setMenuId] = useState<number | null>(null);
  const [toDelete, setToDelete] = useState<PhotoFact | null>(null);
  const [rotating, setRotating] = useState<PhotoFact | null>(null);
  const [news, setNews] = useState('');
  const menu = menuId === null ? undefined : facts.get(menuId);
  const hasMark = [...facts.values()].some(({ image_url: imageUrl }) => cleanAddress(imageUrl) !== imageUrl);
  const isSelecting = selection.ids.size > 0;
  const currentId = focus.currentId !== null && ids.includes(focus.currentId) ? focus.currentId : (ids[0] ?? null);

  const actions = useStableActions({
    press: (fact, keys) => {
      if (keys.shiftKey) selection.extend(fact.id);
      else if (keys.ctrlKey || keys.metaKey || isSelecting) selection.toggle(fact.id);
      else setOpenId(fact.id);
    },
    select: (id, isRange) => (isRange ? selection.extend(id) : selection.toggle(id)),
    rotate: setRotating,
    remove: setToDelete,
    menu: ({ id }) => setMenuId(id),
    changed: ({ id, name }, answer, changes) => {
      pages.change(id, answer);
      const { show_in_gallery: shown, featured } = changes;
      if (shown !== undefined) {
        pages.setShown([id], shown);
        setNews(shown ? `${altOf(name, [])} is in the gallery.` : `${altOf(name, [])} is hidden.`);
      }
      // Featuring moves this photo to the front and takes the mark from another one.
      if (featured !== undefined) pages.refresh([id]);
    },
  });

  function onKey(event: KeyboardEvent, layout: GridLayout): void {
    const index = currentId === null ? -1 : ids.indexOf(currentId);
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a') {
      event.preventDefault();
      return selection.all();
    }
    if (event.key === 'Escape' && isSelecting) return selection.clear();
    if (currentId === null || index === -1) return;
    const fact = facts.get(currentId);
    if (event.key === 'Delete' && !isSelecting && fact) return setToDelete(fact);
    if (event.key === ' ' && event.target instanceof HTMLElement && event.target.dataset['main'] !== undefined) {
      event.preventDefault();
      return event.shiftKey ? selection.extend(currentId) : selection.toggle(currentId);
    }
    const place = placeByKey(event, index, layout);
    const id = place === null ? undefined : ids[place];
    if (id === undefined) return;
    event.preventDefault();
    if (event.shiftKey && !isSelecting) selection.toggle(currentId);
    if (event.shiftKey) selection.extend(id);
    focus.go(id, layout);
  }

  function sort(wish: boolean): void {
    selection.clear();
    // Only what visitors see is ordered by hand (specification A§4).
    if (wish) pages.choose({ show: FIRST_SHOW, sort: 'custom', keyword: '' });
    setOpenId(null);
    setSorting(wish);
  }

  return (
    <div ref={frame} className={cx('flex flex-col gap-4', openId !== null && 'lg:pr-[27rem] xl:pr-[32rem]')}>
      <EditorToolbar
        pages={pages}
        isSorting={isSorting}
        onSort={sort}
        onSelectAll={selection.all}
        isSelectingAll={selection.isChoosingAll}
        asVisitor={hasMark && !isSorting ? asVisitor : null}
        onAsVisitor={setAsVisitor}
      />
      <FailedPhotos pages={pages} />
      <p role="status" className="sr-only">
        {news}
      </p>
      {cells.length === 0 && pages.isComplete ? (
        <NothingShown pages={pages} />
      ) : (
        <div className={cx(pages.isSwitching && 'opacity-50 transition-opacity')} aria-busy={pages.isSwitching}>
          {isSorting ? (
            <Suspense fallback={<Waiting />}>
              <SortPhotos pages={pages} frame={frame} onLeave={() => sort(false)} />
            </Suspense>
          ) : (
            <PhotoWall
              label="Photos"
              cells={cells}
              total={pages.shownTotal}
              keptIds={[focus.currentId, openId]}
              onSight={look}
              onKey={onKey}
              onFocusPhoto={focus.note}
              anchorsScroll
            >
              {(cell, _index, place) => (
                <EditorTile
                  key={cell.id}
                  id={cell.id}
                  fact={facts.get(cell.id)}
                  place={place}
                  isSelected={selection.ids.has(cell.id)}
                  isSelecting={isSelecting}
                  isCurrent={cell.id === currentId}
                  isOpen={cell.id === openId}
                  isMarked={asVisitor}
                  actions={actions}
                />
              )}
            </PhotoWall>
          )}
        </div>
      )}
      <RestOfPhotos pages={pages} />
      <SelectionBar pages={pages} selection={selection} onChanged={onChanged} onNews={setNews} />
      {openId !== null && <OpenPhoto pages={pages} frame={frame} id={openId} onOpen={setOpenId} actions={actions} />}
      {menu && (
        <TileMenu
          fact={menu}
          onClose={() => setMenuId(null)}
          onOpen={({ id }) => setOpenId(id)}
          onRotate={actions.rotate}
          onRemove={actions.remove}
          onChanged={actions.changed}
        />
      )}
      {rotating && (
        <RotatingPhoto
          photo={rotating}
          latest={facts.get(rotating.id)}
          onTurned={(answer) => pages.change(rotating.id, answer)}
          onOver={() => {
            setRotating(null);
            pages.refresh([rotating.id]);
          }}
        />
      )}
      <RemovePhoto
        photo={toDelete}
        onClose={() => setToDelete(null)}
        onRemoved={(id) => {
          setToDelete(null);
          setOpenId(null);
          pages.remove([id]);
          onChanged();
        }}
      />
    </div>
  );
}

function Waiting() {
  return (
    <p role="status" className="flex items-center justify-center gap-3 py-16 text-sm text-quiet">
      <Spinner /> One moment
    </p>
  );
}

/** The same object for ever, which does what the last drawing says: tiles are not drawn again for its sake. */
function useStableActions(latest: TileActions): TileActions {
  const actions = useRef(latest);
  useEffect(() => {
    actions.current = latest;
  });
  return useMemo<TileActions>(
    () => ({
      press: (...given) => actions.current.press(...given),
      select: (...given) => actions.current.select(...given),
      rotate: (...given) => actions.current.rotate(...given),
      remove: (...given) => actions.current.remove(...given),
      menu: (...given) => actions.current.menu(...given),
      changed: (...given) => actions.current.changed(...given),
    }),
    [],
  );
}
