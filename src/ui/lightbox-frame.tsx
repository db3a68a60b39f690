import { useLayoutEffect, useRef, type CSSProperties, type KeyboardEvent, type ReactNode, type RefObject } from 'react';
import { Link, useNavigate } from 'react-router';
import { ChevronLeft, ChevronRight, X } from '#src/ui/icon.tsx';
import { ratioOf, renditionUrl, srcSetOf, type PhotoSource } from '#src/ui/photo-sources.ts';
import { placeholderImage } from '#src/ui/thumbhash.ts';
import { usePreloadedPhotos } from '#src/ui/use-preloaded-photos.ts';
import { useSwipe } from '#src/ui/use-swipe.ts';

export type StagePhoto = PhotoSource & { id: number; thumbhash: string | null; alt: string };

type LightboxFrameProps = {
  photo: StagePhoto;
  /** From 1. */
  position: number;
  total: number;
  /** Addresses of the neighbours; after the last comes the first. The same address as this one where there is only one photo. */
  previousTo: string;
  nextTo: string;
  closeTo: string;
  /** Fetched in advance once this photo stands. */
  neighbours?: readonly PhotoSource[];
  /** Beside the position: name of the photo, a heart. */
  header?: ReactNode;
  /** Within reach of a thumb: price, Add to Cart. */
  footer?: ReactNode;
};

/** `sizes` of the big picture: as wide as the stage allows without cropping; bars take some 130 px. */
function stageSizes(ratio: number): string {
  return `min(100vw, (100vh - 130px) * ${Math.round(ratio * 1000) / 1000})`;
}

/**
 * One photo on the dark stage. Every photo has an address of its own, so that this is a page
 * like any other: without a script its arrows and its cross are plain links. With one it is a modal: it swipes, hears
 * arrows and Escape, and gives the focus back.
 */
export function LightboxFrame({
  photo,
  position,
  total,
  previousTo,
  nextTo,
  closeTo,
  neighbours = [],
  header,
  footer,
}: LightboxFrameProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const navigate = useNavigate();
  const turn = (to: string) => void navigate(to, { replace: true, preventScrollReset: true });
  const close = () => void navigate(closeTo, { preventScrollReset: true, viewTransition: true });
  const alone = total < 2;
  useModal(dialog);
  useSwipe(stage, { onLeft: () => !alone && turn(nextTo), onRight: () => !alone && turn(previousTo) });
  usePreloadedPhotos(neighbours, stageSizes);

  function onKeyDown(event: KeyboardEvent) {
    if (
      alone ||
      event.altKey ||
      event.ctrlKey ||
      event.metaKey ||
      /^(INPUT|TEXTAREA|SELECT)$/.test((event.target as Element).tagName)
    )
      return;
    if (event.key === 'ArrowLeft') turn(previousTo);
    else if (event.key === 'ArrowRight') turn(nextTo);
  }

  const ratio = ratioOf(photo);
  const placeholder = photo.thumbhash === null ? null : placeholderImage(photo.thumbhash);
  const style = {
    '--ratio': ratio,
    ...(placeholder === null ? {} : { backgroundImage: `url(${placeholder})` }),
  } as CSSProperties;
  return (
    <dialog
      ref={dialog}
      open
      tabIndex={-1}
      aria-label={photo.alt}
      className="lightbox"
      onKeyDown={onKeyDown}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <div className="flex items-center justify-between gap-4 py-1 pr-1 pl-4">
        <p role="status" className="shrink-0 text-sm font-semibold tabular-nums">
          {position} / {total}
        </p>
        {header}
        <Link
          to={closeTo}
          preventScrollReset
          viewTransition
          aria-label="Close"
          className="grid size-11 shrink-0 place-items-center rounded"
        >
          <X aria-hidden="true" className="size-6" />
        </Link>
      </div>
      <div ref={stage} className="lightbox-stage">
        <div key={photo.id} data-slide className="lightbox-photo" style={style}>
          <img
            fetchPriority="high"
            sizes={stageSizes(ratio)}
            srcSet={srcSetOf(photo)}
            src={renditionUrl(photo.imageUrl, 640)}
            alt={photo.alt}
            draggable={false}
          />
        </div>
        {!alone && (
          <>
            <TurnLink to={previousTo} label="Previous photo" side="left" />
            <TurnLink to={nextTo} label="Next photo" side="right" />
          </>
        )}
      </div>
      <div className="flex min-h-14 flex-wrap items-center justify-center gap-3 px-4 py-2 max-sm:pb-4">{footer}</div>
    </dialog>
  );
}

/** Half of the stage, with the chevron at its edge. */
function TurnLink({ to, label, side }: { to: string; label: string; side: 'left' | 'right' }) {
  return (
    <Link
      to={to}
      replace
      preventScrollReset
      aria-label={label}
      draggable={false}
      className="lightbox-turn"
      style={side === 'left' ? { left: 0 } : { right: 0, justifyContent: 'flex-end' }}
    >
      <span>{side === 'left' ? <ChevronLeft aria-hidden="true" /> : <ChevronRight aria-hidden="true" />}</span>
    </Link>
  );
}

/** The html opens the dialog beside the page; with a script it becomes the browser's modal. */
function useModal(dialog: RefObject<HTMLDialogElement | null>): void {
  useLayoutEffect(() => {
    const box = dialog.current;
    if (!box) return;
    box.removeAttribute('open');
    box.showModal();
    // Arrows work at once, and no button looks as if it had been chosen.
    box.focus();
    return () => box.close();
  }, [dialog]);
}
