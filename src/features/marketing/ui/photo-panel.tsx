import type { ShownPicture } from '#src/features/marketing/ui/shown-pictures.ts';
import { cx } from '#src/ui/cx.ts';
import { placeholderImage } from '#src/ui/thumbhash.ts';

/** A picture beside a text. */
export function PhotoPanel({ picture, className }: { picture: ShownPicture | undefined; className?: string }) {
  if (!picture) return null;
  const placeholder = picture.thumbhash && placeholderImage(picture.thumbhash);
  return (
    <div
      className={cx('relative isolate overflow-clip rounded-lg bg-sunken bg-cover', className ?? 'aspect-[3/2]')}
      style={!placeholder ? undefined : { backgroundImage: `url(${placeholder})` }}
    >
      <img
        alt={picture.alt}
        loading="lazy"
        src={picture.src}
        srcSet={picture.srcSet}
        sizes="(width < 1100px) 92vw, 600px"
        className="absolute inset-0 size-full object-cover object-[50%_25%]"
      />
    </div>
  );
}
