import type { PhotoPreview } from '#src/features/galleries/galleries.contract.ts';
import { cx } from '#src/ui/cx.ts';
import { FieldLines } from '#src/ui/field-lines.tsx';
import { renditionUrl, srcSetOf } from '#src/ui/photo-sources.ts';
import { placeholderImage } from '#src/ui/thumbhash.ts';

/** A photo of a real gallery beside a text; the lines of a field where there is none. */
export function PhotoPanel({ photo, className }: { photo: PhotoPreview | undefined; className?: string }) {
  const frame = cx('relative isolate overflow-clip rounded-lg', className ?? 'aspect-[3/2]');
  if (!photo)
    return (
      <div className={cx(frame, 'bg-accent text-on-accent')}>
        <FieldLines className="absolute inset-0 size-full opacity-40" />
      </div>
    );
  const placeholder = placeholderImage(photo.thumbhash);
  return (
    <div
      className={cx(frame, 'bg-sunken bg-cover')}
      style={placeholder === null ? undefined : { backgroundImage: `url(${placeholder})` }}
    >
      <img
        alt={photo.name}
        loading="lazy"
        src={renditionUrl(photo.image_url, 640)}
        srcSet={srcSetOf({ imageUrl: photo.image_url, width: photo.width, height: photo.height })}
        sizes="(width < 1100px) 92vw, 600px"
        className="absolute inset-0 size-full object-cover object-[50%_25%]"
      />
    </div>
  );
}
