import { useLayoutEffect, useRef, type KeyboardEvent, type MouseEvent, type ReactNode, type RefObject } from 'react';
import { Link } from 'react-router';
import { ChevronLeft, ChevronRight, X, ZoomIn } from '#src/ui/icon.tsx';
import type { ListedPhoto } from '#src/ui/photos/photo-sources.ts';
import { StagePicture } from '#src/ui/photos/stage-picture.tsx';
import { Toaster } from '#src/ui/toaster.tsx';
import { useLiveStage } from '#src/ui/photos/use-live-stage.ts';
import { isPlainClick } from '#src/ui/photos/plain-click.ts';
import { useInBrowser } from '#src/ui/use-in-browser.ts';

type LightboxFrameProps = {
  /** The photo that is shown, from 0. */
  index: number;
  total: number;
  /** Null for a photo that is not loaded yet: its space is reserved, and the photo follows. */
  photoAt: (index: number) => ListedPhoto | null;
  /** The photo's tile on the page below: its picture is shown until the large one has loaded, and closing shrinks into it. */
  tileAt?: (index: number) => HTMLElement | null;
  /** For browsers without JavaScript, and for new tabs. After the last photo comes the first. */
  addresses: { previous: string; next: string; close: string };
  onGoTo: (index: number) => void;
  onClose: () => void;
  /** Next to the position, small. A function gets the arrows' action: `onGoTo` is called after a move, and moves nothing. */
  header?: ReactNode | ((goBy: (step: number) => void) => ReactNode);
  /** Within reach of a thumb: price, Add to Cart. */
  footer?: ReactNode;
};

const noTile = () => null;

/**
 * Photos on the dark stage, one at a time. The server's html shows one with plain links for arrows and close. With
 * JavaScript it is a modal that handles arrows and Escape, announces each photo, and gets the live stage
 * (`live-stage.ts`) as soon as that is loaded.
 */
export function LightboxFrame(props: LightboxFrameProps) {
  const { index, total, photoAt, tileAt = noTile, addresses, onGoTo, onClose, header, footer } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const host = useRef<HTMLDivElement>(null);
  const top = useRef<HTMLDivElement>(null);
  const bottom = useRef<HTMLDivElement>(null);
  const shown = { index, total, photoAt, tileAt, onGoTo, onClosed: onClose };
  const { goBy, toggleZoom, close } = useLiveStage({ dialog, host, top, bottom }, shown);
  useModal(dialog);
  const photo = photoAt(index);
  // The server does not know the tile.
  const isDrawnHere = useInBrowser();
  const alone = total < 2;

  function onKeyDown(event: KeyboardEvent) {
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test((event.target as Element).tagName);
    if (event.altKey || event.ctrlKey || event.metaKey || isTyping) return;
    if (event.key === 'ArrowLeft' && !alone) goBy(-1);
    else if (event.key === 'ArrowRight' && !alone) goBy(1);
    else if (event.key === 'z') toggleZoom();
  }

  const words = `Photo ${index + 1} of ${total}${photo ? `: ${photo.alt}` : ' is loading'}`;
  return (
    <dialog
      ref={dialog}
      open
      tabIndex={-1}
      aria-label="Photos"
      className="lightbox"
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <div ref={top} className="lightbox-bar lightbox-top">
        <p className="shrink-0 text-sm font-semibold tabular-nums">
          {index + 1} / {total}
        </p>
        <p role="status" className="sr-only">
          {words}
        </p>
        {typeof header === 'function' ? header(goBy) : header}
        <button
          type="button"
          aria-label="Zoom"
          title="Zoom"
          onClick={toggleZoom}
          className="lightbox-button lightbox-zoom"
        >
          <ZoomIn aria-hidden="true" />
        </button>
        <Link
          to={addresses.close}
          preventScrollReset
          aria-label="Close"
          title="Close"
          className="lightbox-button"
          onClick={unlessNewTab(close)}
        >
          <X aria-hidden="true" />
        </Link>
      </div>
      <div className="lightbox-stage">
        {photo && <StagePicture key={photo.id} photo={photo} tile={isDrawnHere ? tileAt(index) : null} />}
        {!alone && (
          <>
            <StepLink to={addresses.previous} label="Previous photo" side="left" onStep={() => goBy(-1)} />
            <StepLink to={addresses.next} label="Next photo" side="right" onStep={() => goBy(1)} />
          </>
        )}
      </div>
      <div ref={bottom} className="lightbox-bar lightbox-bottom">
        {footer}
      </div>
      <div ref={host} className="lightbox-live" />
      <Toaster />
    </dialog>
  );
}

type StepLinkProps = { to: string; label: string; side: 'left' | 'right'; onStep: () => void };

/** Half of the stage with the arrow at its edge; a strip of it once the live stage is ready. Touch screens do not show it. */
function StepLink({ to, label, side, onStep }: StepLinkProps) {
  return (
    <Link
      to={to}
      replace
      preventScrollReset
      aria-label={label}
      draggable={false}
      data-side={side}
      className="lightbox-step"
      onClick={unlessNewTab(onStep)}
    >
      <span>{side === 'left' ? <ChevronLeft aria-hidden="true" /> : <ChevronRight aria-hidden="true" />}</span>
    </Link>
  );
}

/** The browser handles clicks that open a new tab. */
function unlessNewTab(act: () => void) {
  return (event: MouseEvent): void => {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    act();
  };
}

/** The HTML opens the dialog next to the page; with JavaScript it becomes the browser's modal. */
function useModal(dialog: RefObject<HTMLDialogElement | null>): void {
  useLayoutEffect(() => {
    const box = dialog.current;
    if (!box) return;
    box.removeAttribute('open');
    box.showModal();
    // Arrows work immediately, and no button looks selected.
    box.focus();
    return () => box.close();
  }, [dialog]);
}
