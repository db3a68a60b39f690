/**
 * The stage that handles gestures: swipe, pinch, double tap, wheel, and a swipe down that closes. PhotoSwipe implements
 * the gestures (docs/decisions/0037-lightbox.md); it is loaded with the first photo that is opened.
 */
import PhotoSwipe, { type Point } from 'photoswipe';
import 'photoswipe/style.css';
import '#src/ui/photos/live-stage.css';
import {
  isSized,
  ratioOf,
  renditionUrl,
  srcSetOf,
  takes960,
  widthAt,
  type ListedPhoto,
} from '#src/ui/photos/photo-sources.ts';

/** How far a double tap and a pinch zoom, relative to the whole photo. */
const [DOUBLE_TAP, PINCH] = [2.5, 4] as const;
/** Pixels that every photo claims to have, so that it fills the stage; the browser chooses the file by `srcset`. */
const DECLARED_HEIGHT = 4_000;
const MOTION_MS = 200;
/** A second click within this time zooms; only afterwards does a single one in the middle change the photo. */
const SECOND_CLICK_MS = 220;
/** A photo that is pulled up or down this far returns to its tile. */
const FAR_PX = 70;
/** Fractions of the width on the left and right where a click changes the photo immediately. */
const OUTER_PART = 1 / 3;

type StageView = {
  /** Null for a photo that is not loaded yet. */
  photoAt: (index: number) => ListedPhoto | null;
  total: () => number;
  /** Shown until the photo itself is there. */
  placeholderAt: (index: number) => string | null;
  tileAt: (index: number) => HTMLElement | null;
  /** Heights of the bars. */
  bars: () => { top: number; bottom: number };
  onGoTo: (index: number) => void;
  /** True while the photo is pulled away, so that the bars fade. */
  onPull: (isPulled: boolean) => void;
  /** The photo is returning to its tile. */
  onLeave: () => void;
  onClosed: () => void;
};

export type LiveStage = {
  goTo: (index: number) => void;
  toggleZoom: () => void;
  /** Loads a photo that was not loaded when it was shown. */
  refresh: (index: number) => void;
  /** Shrinks the photo into its tile; then `onClosed` is called. */
  close: () => void;
  /** Removes everything immediately. */
  destroy: () => void;
};

/** Puts the stage into `host`, over the photo that is already there. */
export function openLiveStage(host: HTMLElement, index: number, view: StageView): LiveStage {
  const stage = new PhotoSwipe({
    ...LOOK,
    appendToEl: host,
    index,
    getViewportSizeFn: () => ({ x: host.clientWidth, y: host.clientHeight }),
    paddingFn: () => ({ ...view.bars(), left: 0, right: 0 }),
    imageClickAction: (point) => clicked(point),
    bgClickAction: (point) => clicked(point),
  });
  let isGone = false;
  const goBy = (step: number) => stage.goTo(stage.potentialIndex + step);
  const clicked = clickActions(stage, host, goBy);

  stage.addFilter('numItems', view.total);
  const stageRatio = () => {
    const { top, bottom } = view.bars();
    return host.clientWidth / Math.max(1, host.clientHeight - top - bottom);
  };
  stage.addFilter('itemData', (_, at) => itemOf(view.photoAt(at), stageRatio()));
  // A phone that is turned has a stage of another shape.
  stage.on('resize', () => {
    for (const at of new Set([-1, 0, 1].map((step) => (stage.currIndex + step + view.total()) % view.total()))) {
      const photo = view.photoAt(at);
      if (photo && !isSized(photo)) stage.refreshSlideContent(at);
    }
  });
  stage.addFilter('placeholderSrc', (_, content) => view.placeholderAt(content.index) ?? false);
  stage.addFilter('thumbEl', (_, __, at) => view.tileAt(at) as HTMLElement);
  stage.addFilter('srcsetSizesWidth', (width, content) => {
    const photo = view.photoAt(content.index);
    const isWhole = content.slide === undefined || width <= content.slide.zoomLevels.fit * content.width * 1.05;
    return photo && isWhole && takes960() ? widthAt(photo, 960) / window.devicePixelRatio : width;
  });
  stage.on('contentLoadImage', ({ content }) => {
    if (content.element instanceof HTMLImageElement)
      content.element.fetchPriority = content.index === stage.currIndex ? 'high' : 'low';
  });
  // A blurred preview has only approximately the photo's proportions.
  stage.on('contentResize', ({ content, width, height }) => {
    if (content.placeholder?.element) content.placeholder.element.style.aspectRatio = `${width} / ${height}`;
  });
  // It is inside our own dialog, which handles the keys and the focus.
  stage.on('uiRegister', () => stage.element?.setAttribute('role', 'group'));
  stage.on('keydown', (event) => event.preventDefault());
  stage.on('change', () => view.onGoTo(stage.currIndex));
  let pulledBy = 0;
  stage.on('verticalDrag', ({ panY }) => {
    pulledBy = Math.abs(panY - (stage.currSlide?.bounds.center.y ?? panY));
    view.onPull(true);
  });
  stage.on('pointerUp', (event) => {
    const isFar = pulledBy > FAR_PX;
    pulledBy = 0;
    if (!isFar) return view.onPull(false);
    // Also if the finger rests before it is lifted: the library requires it to be moving.
    event.preventDefault();
    stage.close();
  });
  answerSwipes(stage, host, goBy);
  stage.on('close', () => {
    view.onLeave();
    leaveModal(host.closest('dialog'));
  });
  stage.on('destroy', () => {
    if (!isGone) view.onClosed();
    isGone = true;
  });
  stage.init();

  return {
    goTo: (at) => stage.goTo(at),
    toggleZoom: () => stage.toggleZoom(),
    refresh: (at) => stage.refreshSlideContent(at),
    close: () => {
      if (stage.opener.isOpen) stage.close();
      else stage.destroy();
    },
    destroy: () => {
      isGone = true;
      stage.destroy();
    },
  };
}

/** While the photo shrinks, the keys are the page's again: what someone types by then would be lost. */
function leaveModal(dialog: HTMLDialogElement | null): void {
  // Returns the focus. Clicks stay with what is seen: the second one of a double click presses nothing below.
  dialog?.close();
  dialog?.setAttribute('open', '');
}

const LOOK = {
  mainClass: 'live-stage',
  bgOpacity: 1,
  showAnimationDuration: 0,
  hideAnimationDuration: MOTION_MS,
  zoomAnimationDuration: MOTION_MS,
  showHideAnimationType: 'zoom',
  secondaryZoomLevel: ({ fit }: { fit: number }) => fit * DOUBLE_TAP,
  maxZoomLevel: ({ fit }: { fit: number }) => fit * PINCH,
  wheelToZoom: true,
  preload: [1, 1] as [number, number],
  tapAction: false,
  doubleTapAction: 'zoom',
  arrowPrev: false,
  arrowNext: false,
  zoom: false,
  close: false,
  counter: false,
  preloader: false,
  escKey: false,
  arrowKeys: false,
  trapFocus: false,
  returnFocus: false,
  errorMsg: 'This photo could not be loaded.',
} as const;

/** A photo of unknown size, as in a cart, gets the whole stage: the style sheet shows it there undistorted. */
function itemOf(photo: ListedPhoto | null, stageRatio: number) {
  if (photo === null) return { html: '<p class="live-stage-wait">Loading...</p>', width: 1, height: 1 };
  return {
    src: renditionUrl(photo.imageUrl, 960),
    srcset: srcSetOf(photo),
    width: Math.round(DECLARED_HEIGHT * (isSized(photo) ? ratioOf(photo) : stageRatio)),
    height: DECLARED_HEIGHT,
    alt: photo.alt,
  };
}

/**
 * Changes the photo after a swipe that the library did not answer: it counts only what it sees frame by frame, and with
 * slow frames that is the end of the movement; while the photo opens, touches reach the root alone.
 */
function answerSwipes(stage: PhotoSwipe, host: HTMLElement, goBy: (step: number) => void): void {
  const closing = new AbortController();
  let start: PointerEvent | null = null;
  let place = 0;
  const onDown = (event: PointerEvent) => {
    const { isPrimary, pointerType, target } = event;
    const isOnStage = target === document.documentElement || host.contains(target as Node);
    start = isOnStage && isPrimary && pointerType !== 'mouse' && !isZoomed(stage) ? event : null;
    place = stage.potentialIndex;
  };
  const onUp = (event: PointerEvent) => {
    const step = start === null ? 0 : stepOfSwipe(start, event);
    start = null;
    // The library answers first.
    if (step !== 0) setTimeout(() => stage.potentialIndex === place && goBy(step));
  };
  window.addEventListener('pointerdown', onDown, { capture: true, signal: closing.signal });
  window.addEventListener('pointerup', onUp, { capture: true, signal: closing.signal });
  stage.on('destroy', () => closing.abort());
}

const SHORTEST_SWIPE_PX = 40;
/** Pixels a millisecond, from the beginning to the end. */
const SLOWEST_SWIPE = 0.3;

type Touch = Pick<PointerEvent, 'clientX' | 'clientY' | 'timeStamp'>;

/** What a finger asks for between touching and leaving the screen: 1 the next photo, -1 the one before, 0 nothing. */
export function stepOfSwipe(from: Touch, to: Touch): -1 | 0 | 1 {
  const right = to.clientX - from.clientX;
  const least = Math.max(
    SHORTEST_SWIPE_PX,
    Math.abs(to.clientY - from.clientY),
    SLOWEST_SWIPE * (to.timeStamp - from.timeStamp),
  );
  if (Math.abs(right) < least) return 0;
  return right < 0 ? 1 : -1;
}

/**
 * With a mouse: at the sides a click changes the photo, in the middle one click changes it and two zoom. A zoomed photo
 * can only be moved.
 */
function clickActions(stage: PhotoSwipe, host: HTMLElement, goBy: (step: number) => void) {
  let waiting: ReturnType<typeof setTimeout> | undefined;
  return (point: Point): void => {
    const { x } = point;
    const isSecond = waiting !== undefined;
    clearTimeout(waiting);
    waiting = undefined;
    if (isSecond) return stage.currSlide?.toggleZoom(point);
    const wasZoomed = isZoomed(stage);
    const step = x < host.clientWidth / 2 ? -1 : 1;
    const isOuter = Math.min(x, host.clientWidth - x) < host.clientWidth * OUTER_PART;
    if (isOuter && !wasZoomed) return goBy(step);
    waiting = setTimeout(() => {
      waiting = undefined;
      if (!wasZoomed) goBy(step);
    }, SECOND_CLICK_MS);
  };
}

function isZoomed({ currSlide }: PhotoSwipe): boolean {
  return currSlide !== undefined && currSlide.currZoomLevel > currSlide.zoomLevels.initial * 1.01;
}
