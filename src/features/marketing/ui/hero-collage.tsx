import type { PhotoPreview } from '#src/features/galleries/galleries.contract.ts';
import { picturesFor } from '#src/features/marketing/ui/shown-pictures.tsx';
import { placeholderStyle } from '#src/ui/photos/thumbhash.ts';

const PLACES = [
  'col-span-4 row-span-4',
  'col-span-2 row-span-2',
  'col-span-2 row-span-2',
  'col-span-3 row-span-2',
  'col-span-3 row-span-2',
] as const;

/** Five pictures next to the headline. */
export function HeroCollage({ photos }: { photos: readonly PhotoPreview[] }) {
  return (
    <ul
      aria-label="Photos of galleries"
      className="grid aspect-[4/3] grid-cols-6 grid-rows-6 gap-1.5 overflow-clip rounded-lg"
    >
      {picturesFor(photos, PLACES.length).map((picture, index) => (
        <li
          key={picture.key}
          className={`relative overflow-clip bg-sunken bg-cover ${PLACES[index]}`}
          style={placeholderStyle(picture.thumbhash)}
        >
          <img
            alt={picture.alt}
            fetchPriority={index === 0 ? 'high' : 'auto'}
            src={picture.src}
            srcSet={picture.srcSet}
            sizes={index === 0 ? '(width < 1100px) 72vw, 480px' : '(width < 1100px) 48vw, 320px'}
            className="absolute inset-0 size-full object-cover"
          />
        </li>
      ))}
    </ul>
  );
}
