/**
 * The pictures of the marketing pages: photos of the organizations that a platform admin selected, and Sideline's own pictures,
 * drawn for the demo, if there are none or not enough (rule 52).
 */
import type { PhotoPreview } from '#src/features/galleries/galleries.contract.ts';
import { renditionUrl, srcSetOf } from '#src/ui/photos/photo-sources.ts';
import { placeholderStyle } from '#src/ui/photos/thumbhash.ts';
import { cx } from '#src/ui/cx.ts';

export type ShownPicture = { key: string; alt: string; src: string; srcSet: string; thumbhash: string | null };

const ADDRESSES = import.meta.glob<string>('../assets/own/*.jpg', { eager: true, query: '?url', import: 'default' });

function own(name: string, alt: string): ShownPicture {
  const of = (size: 480 | 960) => ADDRESSES[`../assets/own/${name}-${size}.jpg`] ?? '';
  return { key: name, alt, src: of(480), srcSet: `${of(480)} 480w, ${of(960)} 960w`, thumbhash: null };
}

const OWN_PICTURES: readonly ShownPicture[] = [
  own('all-on-top', 'A soccer team celebrates a goal'),
  own('off-the-blocks', 'Swimmers leave the starting blocks'),
  own('the-cup', 'A team lifts the cup'),
  own('full-stretch', 'A goalkeeper at full stretch'),
  own('first-row', 'Families in the first row of the stand'),
  own('the-shot', 'A player takes a shot'),
  own('huddle', 'A team in a huddle before the game'),
  own('the-whole-stand', 'A stand full of spectators'),
];

const pictureOf = (photo: PhotoPreview): ShownPicture => ({
  key: String(photo.id),
  alt: photo.name,
  src: renditionUrl(photo.image_url, 480),
  srcSet: srcSetOf({ imageUrl: photo.image_url, width: photo.width, height: photo.height }),
  thumbhash: photo.thumbhash,
});

/**
 * `count` pictures: these photos, and our own for missing ones; `skip` leaves out own pictures that are elsewhere on the page.
 */
export function picturesFor(photos: readonly PhotoPreview[], count: number, skip = 0): ShownPicture[] {
  return [...photos.map(pictureOf), ...OWN_PICTURES.slice(skip)].slice(0, count);
}

/** A picture next to a text. */
export function PhotoPanel({ picture, className }: { picture: ShownPicture | undefined; className?: string }) {
  if (!picture) return null;
  return (
    <div
      className={cx('relative isolate overflow-clip rounded-lg bg-sunken bg-cover', className ?? 'aspect-[3/2]')}
      style={placeholderStyle(picture.thumbhash)}
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
