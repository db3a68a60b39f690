import { lazy, Suspense, useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import type { EditorPhotos as Photos } from '#src/features/photo-editor/editor-photos.client.ts';
import type { GridLayout } from '#src/features/photo-wall/grid-rows.rules.ts';
import { FIRST_SHOW, type PhotoFact } from '#src/features/photos/photo-grid.contract.ts';
import { cleanAddress } from '#src/features/photos/photo-calls.client.ts';
import { altOf } from '#src/features/photos/shown-photo.rules.ts';
import { placeByKey, useTileFocus, type TileFocus } from '#src/features/photo-wall/grid.client.ts';
import { EditorTile, type TileActions } from '#src/features/photo-editor/ui/editor-tile.tsx';
import { EditorToolbar } from '#src/features/photo-editor/ui/editor-toolbar.tsx';
import { FailedPhotos, filterOf, NothingShown, RestOfPhotos } from '#src/features/photo-editor/ui/list-notices.tsx';
import { OpenPhoto, type NoteOnPhoto } from '#src/features/photo-editor/ui/photo-panel.tsx';
import { PhotoWall } from '#src/features/photo-wall/ui/photo-wall.tsx';
import { RemovePhoto, RotatingPhoto, TileMenu } from '#src/features/photo-editor/ui/photo-dialogs.tsx';
import { SelectionBar, type TagMany as TagManyDialog } from '#src/features/photo-editor/ui/selection-bar.tsx';
import { useSelection, type PhotoSelection } from '#src/features/photo-editor/selection.client.ts';
import { staysInList, undoShown } from '#src/features/photo-editor/showing.client.ts';
import { cx } from '#src/ui/cx.ts';
import { useFocusAfter } from '#src/ui/use-focus-after.ts';
import { showToast } from '#src/ui/toast.ts';
import { Spinner } from '#src/ui/spinner.tsx';

// Dragging code is loaded only for sorting.
const SortPhotos = lazy(() =>
  import('#src/features/photo-editor/ui/sort-photos.tsx').then((module) => ({ default: module.SortPhotos })),
);

type EditorPhotosProps = { pages: Photos; onChanged: () => void; note?: NoteOnPhoto; tagMany?: TagManyDialog };

/** All photos of a gallery for its owner: filter, custom order, and actions for one or many photos. */
export function EditorPhotos({ pages, onChanged, note, tagMany }: EditorPhotosProps) {
  const frame = useRef<HTMLDivElement>(null);
  const ids = useMemo(() => pages.cells.map(({ id }) => id), [pages.cells]);
  const selection = useSelection(ids, pages.isComplete);
  const [isSorting, setSorting] = useState(false);
  const [asVisitor, setAsVisitor] = useState(false);
  const [news, setNews] = useState('');
  const focus = useTileFocus(frame, ids);
  const opened = useOpened();
  const toFilter = useFocusAfter(filterOf);
  const actions = useTileActions(pages, { selection, opened, onNews: setNews });
  const hasMark = useMemo(
    () => [...pages.facts.values()].some(({ image_url: imageUrl }) => cleanAddress(imageUrl) !== imageUrl),
    [pages.facts],
  );

  function setSortMode(isOn: boolean): void {
    selection.clear();
    // Only what visitors see is ordered by hand (specification A§4).
    if (isOn) pages.choose({ show: FIRST_SHOW, sort: 'custom', keyword: '' });
    opened.setOpenId(null);
    setSorting(isOn);
  }

  return (
    <div ref={frame} className={cx('flex flex-col gap-4', opened.openId !== null && 'lg:pr-[27rem] xl:pr-[32rem]')}>
      <EditorToolbar
        pages={pages}
        isSorting={isSorting}
        onSort={setSortMode}
        onSelectAll={selection.all}
        isSelectingAll={selection.isChoosingAll}
        asVisitor={hasMark && !isSorting ? asVisitor : null}
        onAsVisitor={setAsVisitor}
      />
      <FailedPhotos pages={pages} />
      <p role="status" className="sr-only">
        {news}
      </p>
      {pages.cells.length === 0 && pages.isComplete ? (
        // Another filter has other buttons.
        <div key={`${pages.view.show} ${pages.view.keyword}`} ref={toFilter}>
          <NothingShown pages={pages} />
        </div>
      ) : (
        <div className={cx(pages.isSwitching && 'opacity-50 transition-opacity')} aria-busy={pages.isSwitching}>
          {isSorting ? (
            <Suspense fallback={<Waiting />}>
              <SortPhotos pages={pages} frame={frame} onLeave={() => setSortMode(false)} />
            </Suspense>
          ) : (
            <Wall {...{ pages, ids, focus, selection, opened, actions, asVisitor }} />
          )}
        </div>
      )}
      <RestOfPhotos pages={pages} />
      <SelectionBar pages={pages} selection={selection} onChanged={onChanged} onNews={setNews} tagMany={tagMany} />
      <OpenedPhotos {...{ pages, frame, opened, actions, onChanged, note }} />
    </div>
  );
}

type Opened = ReturnType<typeof useOpened>;

/** The photo in the panel, in the menu, to be removed, and being rotated. */
function useOpened() {
  const [openId, setOpenId] = useState<number | null>(null);
  const [menuId, setMenuId] = useState<number | null>(null);
  const [toDelete, setToDelete] = useState<PhotoFact | null>(null);
  const [rotating, setRotating] = useState<PhotoFact | null>(null);
  return { openId, setOpenId, menuId, setMenuId, toDelete, setToDelete, rotating, setRotating };
}

type Parts = {
  pages: Photos;
  frame: RefObject<HTMLDivElement | null>;
  selection: PhotoSelection;
  opened: Opened;
  actions: TileActions;
};

/** Actions of tiles: always the same object, so that tiles are not rendered again for it. */
function useTileActions(
  pages: Photos,
  { selection, opened, onNews }: Pick<Parts, 'selection' | 'opened'> & { onNews: (words: string) => void },
): TileActions {
  return useStableActions({
    press: (fact, keys) => {
      if (keys.shiftKey) selection.extend(fact.id);
      else if (keys.ctrlKey || keys.metaKey || selection.ids.size > 0) selection.toggle(fact.id);
      else opened.setOpenId(fact.id);
    },
    select: (id, isRange) => (isRange ? selection.extend(id) : selection.toggle(id)),
    rotate: opened.setRotating,
    remove: opened.setToDelete,
    menu: ({ id }) => opened.setMenuId(id),
    changed: ({ id, name }, answer, changes) => {
      pages.change(id, answer);
      const { show_in_gallery: shown, featured } = changes;
      if (shown !== undefined) {
        pages.setShown([id], shown);
        const news = `${altOf(name, [])} is ${shown ? 'in the gallery' : 'hidden'}.`;
        onNews(news);
        // Otherwise its own switch undoes it.
        if (!staysInList(pages, shown)) showToast(news, 'info', undoShown(pages, [id], shown));
      }
      // Featuring moves this photo to the front and unfeatures the previous one.
      if (featured !== undefined) pages.refresh([id]);
    },
  });
}

type WallProps = Omit<Parts, 'frame'> & { ids: readonly number[]; focus: TileFocus; asVisitor: boolean };

/** The photos; Tab reaches one of them, arrow keys move on, Shift and Space select, Delete removes. */
function Wall({ pages, ids, focus, selection, opened, actions, asVisitor }: WallProps) {
  const { cells, facts } = pages;
  const isSelecting = selection.ids.size > 0;
  const currentId = focus.currentId !== null && ids.includes(focus.currentId) ? focus.currentId : (ids[0] ?? null);

  function onKey(event: KeyboardEvent, layout: GridLayout): void {
    const index = currentId === null ? -1 : ids.indexOf(currentId);
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'a') {
      event.preventDefault();
      return selection.all();
    }
    if (event.key === 'Escape' && isSelecting) return selection.clear();
    if (currentId === null || index === -1) return;
    const fact = facts.get(currentId);
    if (event.key === 'Delete' && !isSelecting && fact) return opened.setToDelete(fact);
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

  return (
    <PhotoWall
      label="Photos"
      cells={cells}
      total={pages.shownTotal}
      keptIds={[focus.currentId, opened.openId]}
      onVisible={pages.onVisible}
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
          isOpen={cell.id === opened.openId}
          isMarked={asVisitor}
          actions={actions}
        />
      )}
    </PhotoWall>
  );
}

/** The panel, the menu and the dialogs of one photo. */
function OpenedPhotos(props: Omit<Parts, 'selection'> & { onChanged: () => void; note: NoteOnPhoto | undefined }) {
  const { pages, frame, opened, actions, onChanged } = props;
  const { openId, setOpenId, menuId, setMenuId, toDelete, setToDelete, rotating, setRotating } = opened;
  const menu = menuId === null ? undefined : pages.facts.get(menuId);
  return (
    <>
      {openId !== null && (
        <OpenPhoto pages={pages} frame={frame} id={openId} onOpen={setOpenId} actions={actions} note={props.note} />
      )}
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
          latest={pages.facts.get(rotating.id)}
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
    </>
  );
}

function Waiting() {
  return (
    <p role="status" className="flex items-center justify-center gap-3 py-16 text-sm text-quiet">
      <Spinner /> One moment
    </p>
  );
}

/** Always the same object, which calls the functions of the last render. */
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
