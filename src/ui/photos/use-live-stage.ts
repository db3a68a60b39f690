import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import type { LiveStage, openLiveStage } from '#src/ui/photos/live-stage.ts';
import type { ListedPhoto } from '#src/ui/photos/photo-sources.ts';
import { placeholderImage } from '#src/ui/photos/thumbhash.ts';

type StageParts = {
  dialog: RefObject<HTMLDialogElement | null>;
  /** The element of the live stage; it covers the whole screen, below the bars. */
  host: RefObject<HTMLDivElement | null>;
  top: RefObject<HTMLDivElement | null>;
  bottom: RefObject<HTMLDivElement | null>;
};

type OpenLiveStage = typeof openLiveStage;

type Shown = {
  index: number;
  total: number;
  photoAt: (index: number) => ListedPhoto | null;
  tileAt: (index: number) => HTMLElement | null;
  onGoTo: (index: number) => void;
  onClosed: () => void;
};

/**
 * Loads the live stage and keeps it at the photo that is shown. Until it is ready, changing the photo and closing work
 * without it. Returns the actions of the bars' buttons.
 */
export function useLiveStage({ dialog, host, top, bottom }: StageParts, shown: Shown) {
  const live = useRef<LiveStage | null>(null);
  const now = useEffectEvent(() => shown);

  const open = useEffectEvent((openLiveStage: OpenLiveStage) => {
    if (!host.current) return;
    const setFlag = (name: 'live' | 'pulled' | 'leaving', is: boolean) =>
      dialog.current?.toggleAttribute(`data-${name}`, is);
    live.current = openLiveStage(host.current, shown.index, {
      photoAt: (index) => now().photoAt(index),
      total: () => now().total,
      placeholderAt: (index) => placeholderOf(now().photoAt(index), now().tileAt(index), dialog.current),
      tileAt: (index) => scrolledIntoView(now().tileAt(index)),
      bars: () => ({ top: top.current?.offsetHeight ?? 0, bottom: bottom.current?.offsetHeight ?? 0 }),
      onGoTo: (index) => index !== now().index && now().onGoTo(index),
      onPull: (isPulled) => setFlag('pulled', isPulled),
      onLeave: () => setFlag('leaving', true),
      onClosed: () => now().onClosed(),
    });
    setFlag('live', true);
  });
  useEffect(() => {
    let isOver = false;
    const load = async () => {
      await firstPictureLoaded(dialog.current);
      const { openLiveStage } = await import('#src/ui/photos/live-stage.ts');
      if (!isOver) open(openLiveStage);
    };
    void load();
    return () => {
      isOver = true;
      live.current?.destroy();
      live.current = null;
    };
  }, [dialog]);

  const { index, photoAt, total } = shown;
  // Photos that were loaded after their slide was drawn.
  const known = [-1, 0, 1].map((step) => photoAt((index + step + total) % total)?.id ?? 0).join();
  const before = useRef({ index, known });
  useEffect(() => {
    const was = before.current;
    before.current = { index, known };
    if (was.index !== index || was.known === known) return;
    for (const step of [-1, 0, 1]) live.current?.refresh((index + step + total) % total);
  }, [index, known, total]);

  function goBy(step: number): void {
    const to = (index + step + total) % total;
    if (live.current) live.current.goTo(to);
    else shown.onGoTo(to);
  }
  return {
    goBy,
    toggleZoom: () => live.current?.toggleZoom(),
    close: () => (live.current ? live.current.close() : shown.onClosed()),
  };
}

/** The longest wait: a picture that does not load must not block the gestures. */
const MAX_WAIT_MS = 1_000;

/** Resolves when the first large picture has loaded, so that it has the connection to itself, or when someone acts. */
async function firstPictureLoaded(dialog: HTMLElement | null): Promise<void> {
  const still = dialog?.querySelector<HTMLImageElement>('img[data-still]');
  if (!still || still.complete) return;
  await new Promise((resolve) => {
    setTimeout(resolve, MAX_WAIT_MS);
    for (const event of ['load', 'error', 'pointerdown', 'keydown'])
      dialog?.addEventListener(event, resolve, { once: true, capture: true });
  });
}

/** The picture that is on the screen already: of the stage without JavaScript, else of the tile, else the blurred preview. */
function placeholderOf(photo: ListedPhoto | null, tile: HTMLElement | null, dialog: HTMLElement | null): string | null {
  if (!photo) return null;
  const still = dialog?.querySelector<HTMLImageElement>(`[data-still="${photo.id}"]`);
  const seen = [still, tile?.querySelector('img')].find((image) => image?.complete && image.naturalWidth > 0);
  return seen?.currentSrc ?? (photo.thumbhash === null ? null : placeholderImage(photo.thumbhash));
}

/** The tile, after the page has scrolled so that it can be seen. */
function scrolledIntoView(tile: HTMLElement | null): HTMLElement | null {
  tile?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  return tile;
}
