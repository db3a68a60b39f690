import { memo } from 'react';
import type { Bursts } from '#src/features/tagging-desk/bursts.rules.ts';
import {
  isDone,
  isHidden,
  tagWords,
  type DeskPhoto,
  type DeskRoster,
} from '#src/features/tagging-desk/desk-model.rules.ts';
import { STRIP_AFTER, STRIP_BEFORE } from '#src/features/tagging-desk/tagging-desk.contract.ts';
import { formatCount } from '#src/shared/counted.ts';
import { cx } from '#src/ui/cx.ts';
import { Check, EyeOff, Lock } from '#src/ui/icon.tsx';
import { renditionUrl } from '#src/ui/photos/photo-sources.ts';

type PhotoStripProps = {
  photos: readonly DeskPhoto[];
  place: number;
  bursts: Bursts;
  roster: DeskRoster;
  onOpen: (photoId: number) => void;
};

/** The last three photos and the next twelve. A bracket marks the burst of the current photo, which Shift+⏎ tags. */
export function PhotoStrip({ photos, place, bursts, roster, onOpen }: PhotoStripProps) {
  const begin = Math.max(0, place - STRIP_BEFORE);
  const burst = new Set(bursts.get(photos[place]?.id ?? 0) ?? []);
  return (
    <div className="relative shrink-0 max-md:h-12 md:w-24 lg:w-28">
      <ol aria-label="Photos before and after" className="absolute inset-0 flex gap-1 overflow-hidden md:flex-col">
        {photos.slice(begin, place + STRIP_AFTER + 1).map((photo, at) => (
          <li
            key={photo.id}
            className={cx(
              'relative min-h-0 min-w-0 max-md:w-12 max-md:shrink-0 md:max-h-16 md:flex-1',
              burst.has(photo.id) && 'border-warning max-md:border-b-4 md:border-l-4',
            )}
          >
            <Thumb
              photo={photo}
              number={begin + at + 1}
              isCurrent={begin + at === place}
              isInBurst={burst.has(photo.id)}
              words={photo.tags.map((tag) => tagWords(tag, roster)).join(', ')}
              onOpen={onOpen}
            />
          </li>
        ))}
      </ol>
    </div>
  );
}

type ThumbProps = {
  photo: DeskPhoto;
  number: number;
  isCurrent: boolean;
  isInBurst: boolean;
  words: string;
  onOpen: (photoId: number) => void;
};

const Thumb = memo(function Thumb({ photo, number, isCurrent, isInBurst, words, onOpen }: ThumbProps) {
  const facts = [
    `Photo ${formatCount(number)}`,
    words,
    photo.isChecked && photo.tags.length === 0 && 'nobody to name',
    isInBurst && 'in this burst',
    isHidden(photo) && 'hidden',
    photo.isTaken && 'someone else is tagging it',
  ];
  return (
    <button
      type="button"
      aria-label={facts.filter(Boolean).join(', ')}
      aria-current={isCurrent || undefined}
      onClick={() => onOpen(photo.id)}
      className={cx(
        'relative block size-full overflow-hidden rounded-sm bg-sunken',
        isCurrent ? 'outline-3 -outline-offset-3 outline-ink' : isDone(photo) && 'opacity-70',
        photo.isTaken && 'opacity-40 grayscale',
      )}
    >
      <img
        src={renditionUrl(photo.imageUrl, 320)}
        alt=""
        decoding="async"
        fetchPriority="low"
        draggable={false}
        className="size-full object-cover"
      />
      <span
        aria-hidden="true"
        className="absolute inset-x-0 bottom-0 flex items-center justify-center gap-1 truncate bg-black/75 px-1 text-xs text-white empty:hidden [&_svg]:size-3"
      >
        {photo.isTaken && <Lock />}
        {isHidden(photo) && <EyeOff />}
        {photo.tags.length > 0 ? shortTags(photo) : photo.isChecked && <Check />}
      </span>
    </button>
  );
});

/** "10, 7", or "12 players" of a team picture. */
function shortTags({ tags }: DeskPhoto): string {
  if (tags.length > 3) return `${tags.length} players`;
  return tags.map(({ number, name }) => number ?? name).join(', ');
}
