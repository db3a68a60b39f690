import type { PhotoPreview } from '#src/features/galleries/galleries.contract.ts';
import { FieldLines } from '#src/ui/field-lines.tsx';
import { renditionUrl, srcSetOf } from '#src/ui/photo-sources.ts';
import { placeholderImage } from '#src/ui/thumbhash.ts';

const PLACES = [
  'col-span-4 row-span-4',
  'col-span-2 row-span-2',
  'col-span-2 row-span-2',
  'col-span-3 row-span-2',
  'col-span-3 row-span-2',
] as const;

/** Photos of real galleries beside the promise. Few photos, or none: the lines of a field stand in. */
export function HeroCollage({ photos }: { photos: readonly PhotoPreview[] }) {
  const shown =
    photos.length >= PLACES.length ? photos.slice(0, PLACES.length) : photos.slice(0, photos.length >= 3 ? 3 : 1);
  if (shown.length === 0) {
    return (
      <div className="relative isolate aspect-[4/3] overflow-clip rounded-lg bg-accent text-on-accent">
        <FieldLines className="absolute inset-0 size-full opacity-40" />
      </div>
    );
  }
  return (
    <ul
      aria-label="Photos of galleries"
      className="grid aspect-[4/3] grid-cols-6 grid-rows-6 gap-1.5 overflow-clip rounded-lg"
      data-count={shown.length}
    >
      {shown.map((photo, index) => (
        <li
          key={photo.id}
          className={`relative overflow-clip bg-sunken bg-cover ${placeOf(index, shown.length)}`}
          style={placeholderOf(photo)}
        >
          <img
            alt={photo.name}
            fetchPriority={index === 0 ? 'high' : 'auto'}
            src={renditionUrl(photo.image_url, 480)}
            srcSet={srcSetOf({ imageUrl: photo.image_url, width: photo.width, height: photo.height })}
            sizes={index === 0 ? '(width < 1100px) 72vw, 480px' : '(width < 1100px) 48vw, 320px'}
            className="absolute inset-0 size-full object-cover"
          />
        </li>
      ))}
    </ul>
  );
}

function placeOf(index: number, count: number): string {
  if (count === 1) return 'col-span-6 row-span-6';
  if (count === 3) return index === 0 ? 'col-span-4 row-span-6' : 'col-span-2 row-span-3';
  return PLACES[index] ?? 'hidden';
}

function placeholderOf(photo: PhotoPreview) {
  const placeholder = placeholderImage(photo.thumbhash);
  return placeholder === null ? undefined : { backgroundImage: `url(${placeholder})` };
}
