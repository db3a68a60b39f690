import { useDraggable, useDroppable } from '@dnd-kit/core';
import { useState, type CSSProperties, type FormEvent } from 'react';
import type { PhotoFact } from '#src/features/photos/photo-grid.contract.ts';
import { ORDER_STILL_LOADING, placeProblem } from '#src/features/photo-editor/photo-editor.contract.ts';
import { cleanAddress } from '#src/features/photos/photo-calls.client.ts';
import { altOf } from '#src/features/photos/shown-photo.rules.ts';
import type { TilePlace } from '#src/features/photo-wall/ui/photo-wall.tsx';
import { formatCount } from '#src/shared/counted.ts';
import { cx } from '#src/ui/cx.ts';
import { Lock } from '#src/ui/icon.tsx';
import { renditionUrl, srcSetOf } from '#src/ui/photos/photo-sources.ts';
import { placeholderStyle } from '#src/ui/photos/thumbhash.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';

export type DropSide = 'before' | 'after';

type SortTileProps = {
  id: number;
  index: number;
  total: number;
  fact: PhotoFact | undefined;
  place: TilePlace;
  hintId: string;
  isCurrent: boolean;
  isLifted: boolean;
  /** Where the dragged photo would be dropped. */
  marker: DropSide | null;
  /** A click without dragging asks for a position number. */
  onPress: () => void;
};

/** A photo that can be moved; its number is its position. */
export function SortTile(props: SortTileProps) {
  const { id, index, total, fact, place, hintId, isCurrent, isLifted, marker, onPress } = props;
  const isFirst = index === 0;
  const drag = useDraggable({ id, disabled: isFirst });
  const drop = useDroppable({ id });
  const style = { ...place.style, ...placeholderStyle(fact?.thumbhash) };
  const name = altOf(fact?.name ?? 'Photo', []);
  const imageUrl = cleanAddress(fact?.image_url ?? '');
  return (
    <li
      {...place}
      ref={(element) => {
        drag.setNodeRef(element);
        drop.setNodeRef(element);
      }}
      {...drag.listeners}
      className={cx(
        'photo-tile scroll-my-24 touch-manipulation select-none [-webkit-touch-callout:none]',
        drag.isDragging && 'opacity-30',
        isLifted && 'z-10 ring-4 ring-accent',
      )}
      style={style as CSSProperties}
    >
      <button
        type="button"
        data-main
        tabIndex={isCurrent ? 0 : -1}
        aria-label={
          isFirst ? `${name}, place 1 of ${total}, stays first` : `Move ${name}, place ${index + 1} of ${total}`
        }
        aria-describedby={hintId}
        aria-pressed={isFirst ? undefined : isLifted}
        onClick={(event) => {
          // Keys pick it up instead; the list handles them.
          if (event.detail > 0) onPress();
        }}
        className={cx(
          'block size-full focus-visible:-outline-offset-4',
          isFirst ? 'cursor-not-allowed' : 'cursor-grab',
        )}
      >
        {fact?.status === 'ready' && (
          <img
            key={imageUrl}
            alt=""
            loading="lazy"
            decoding="async"
            draggable={false}
            src={renditionUrl(imageUrl, 480)}
            srcSet={srcSetOf({ imageUrl, width: fact.width, height: fact.height })}
            sizes={typeof place.style.width === 'number' ? `${Math.ceil(place.style.width)}px` : '260px'}
          />
        )}
      </button>
      <span
        aria-hidden="true"
        className="pointer-events-none absolute top-2 left-2 inline-flex items-center gap-1 rounded-sm bg-stage/80 px-2 py-0.5 text-xs font-semibold text-white tabular-nums [&_svg]:size-3.5"
      >
        {isFirst && <Lock />}
        {index + 1}
      </span>
      {marker && <Marker side={marker} />}
    </li>
  );
}

function Marker({ side }: { side: DropSide }) {
  return (
    <span
      aria-hidden="true"
      className={cx(
        'pointer-events-none absolute inset-y-0 w-2 border-white bg-accent',
        side === 'before' ? 'left-0 border-r-2' : 'right-0 border-l-2',
      )}
    />
  );
}

type MoveToPlaceProps = {
  name: string;
  /** From 1. */
  place: number;
  total: number;
  /** How many positions are loaded. */
  known: number;
  onClose: () => void;
  onPlace: (place: number) => void;
};

/** For moves that are too far to drag. */
export function MoveToPlace({ name, place, total, known, onClose, onPlace }: MoveToPlaceProps) {
  const [text, setText] = useState(String(place));
  const [problem, setProblem] = useState<string | null>(null);

  function submit(event: FormEvent): void {
    event.preventDefault();
    const wanted = /^\d{1,9}$/.test(text.trim()) ? Number(text) : Number.NaN;
    const wrong = placeProblem(wanted, total) ?? (wanted > known ? ORDER_STILL_LOADING : null);
    if (wrong === null) onPlace(wanted);
    else setProblem(wrong);
  }

  return (
    <Dialog open title="Move to position…" onClose={onClose}>
      <form method="dialog" noValidate onSubmit={submit} className="flex flex-col gap-4 pb-2">
        <p className="text-sm text-pretty wrap-anywhere text-quiet">
          {name} is at position {formatCount(place)} of {formatCount(total)}.
        </p>
        <TextField
          label="Place"
          inputMode="numeric"
          autoComplete="off"
          data-autofocus=""
          value={text}
          errors={problem === null ? [] : [problem]}
          onFocus={(event) => event.target.select()}
          onChange={(event) => setText(event.target.value)}
        />
        <Button type="submit" className="self-end">
          Move photo
        </Button>
      </form>
    </Dialog>
  );
}
