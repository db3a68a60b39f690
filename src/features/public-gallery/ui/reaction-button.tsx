import { useReaction, type Reaction } from '#src/features/public-gallery/ui/use-reaction.ts';
import type { ShownPhoto } from '#src/features/photos/shown-photo.rules.ts';
import { cx } from '#src/ui/cx.ts';
import { Heart, Trophy } from '#src/ui/icon.tsx';

const LOOKS = {
  like: { icon: Heart, verb: 'Like', one: 'like', many: 'likes' },
  vote: { icon: Trophy, verb: 'Vote for', one: 'vote', many: 'votes' },
} as const;

/** A heart or a vote with its count. */
export function ReactionButton({
  photo,
  reaction,
  className,
}: {
  photo: ShownPhoto;
  reaction: Reaction;
  className?: string;
}) {
  const { count, isOn, toggle } = useReaction(photo, reaction);
  const { icon: Icon, verb, one, many } = LOOKS[reaction];
  return (
    <button
      type="button"
      aria-pressed={isOn}
      aria-label={`${verb} ${photo.alt}, ${count} ${count === 1 ? one : many}`}
      onClick={toggle}
      className={cx(
        'inline-flex min-h-11 min-w-11 items-center justify-center gap-1 rounded px-1.5 text-sm font-semibold tabular-nums',
        className,
      )}
    >
      <Icon aria-hidden="true" className={cx('size-5 shrink-0', isOn && 'fill-current')} />
      {count > 0 && <span aria-hidden="true">{count}</span>}
    </button>
  );
}
