import { useEffect, useRef, useState, type PointerEvent } from 'react';
import { LOADED_AHEAD, photoOf } from '#src/features/tagging-desk/tagging-desk.contract.ts';
import type { DeskPhoto } from '#src/features/tagging-desk/desk-model.rules.ts';
import { renditionUrl, takes960 } from '#src/ui/photos/photo-sources.ts';

/** A horizontal swipe of this length moves to another photo. */
const SWIPE_PX = 40;
/** The full-size photo is loaded after this time. */
const SHARP_AFTER_MS = 250;

type DeskStageProps = {
  photos: readonly DeskPhoto[];
  place: number;
  total: number;
  onStep: (by: 1 | -1) => void;
};

/**
 * The current photo. The six before and after it are in the page already, each in 640 px and hidden: a step only shows
 * one and hides another. The full-size photo follows for those who look longer.
 */
export function DeskStage({ photos, place, total, onStep }: DeskStageProps) {
  const from = useRef<{ x: number; y: number } | null>(null);
  const begin = Math.max(0, place - LOADED_AHEAD);
  const near = photos.slice(begin, place + LOADED_AHEAD + 1);
  const photo = photos[place];

  function endSwipe(event: PointerEvent): void {
    const start = from.current;
    from.current = null;
    if (!start || event.pointerType === 'mouse') return;
    const [dx, dy] = [event.clientX - start.x, event.clientY - start.y];
    if (Math.abs(dx) > SWIPE_PX && Math.abs(dx) > 1.5 * Math.abs(dy)) onStep(dx < 0 ? 1 : -1);
  }

  return (
    <section
      aria-label="Photo"
      className="desk-stage relative min-h-40 min-w-0 flex-1 overflow-hidden"
      onPointerDown={(event) => (from.current = { x: event.clientX, y: event.clientY })}
      onPointerUp={endSwipe}
      onPointerCancel={() => (from.current = null)}
    >
      {near.map((one, at) => (
        <img
          key={one.id}
          src={renditionUrl(one.imageUrl, 640)}
          alt={begin + at === place ? photoOf(place, total) : ''}
          data-photo={one.id}
          data-waits={begin + at === place ? undefined : ''}
          draggable={false}
          decoding="sync"
          fetchPriority={begin + at === place ? 'high' : 'low'}
        />
      ))}
      {photo && <SharpPhoto key={photo.id} photo={photo} />}
    </section>
  );
}

/** Covers the smaller one once it is loaded. */
function SharpPhoto({ photo }: { photo: DeskPhoto }) {
  const [isWanted, setWanted] = useState(false);
  const [isHere, setHere] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWanted(true), SHARP_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  if (!isWanted) return null;
  return (
    <img
      src={renditionUrl(photo.imageUrl, takes960() ? 960 : 1440)}
      alt=""
      draggable={false}
      data-waits={isHere ? undefined : ''}
      // Decoded asynchronously: it must not delay a key.
      onLoad={({ currentTarget }) =>
        void currentTarget.decode().then(
          () => setHere(true),
          () => undefined,
        )
      }
    />
  );
}
