import { Link } from 'react-router';
import { COUNTED_ABOVE, PREVIEW_PHOTOS } from '#src/features/galleries/galleries.contract.ts';
import type { GalleryCardFacts } from '#src/features/galleries/gallery-cards.rules.ts';
import type { PhotoPreview } from '#src/features/galleries/galleries.contract.ts';
import { formatCount } from '#src/shared/counted.ts';
import { cx } from '#src/ui/cx.ts';
import { Images, Lock } from '#src/ui/icon.tsx';
import { renditionUrl, srcSetOf } from '#src/ui/photos/photo-sources.ts';
import { Price } from '#src/ui/price.tsx';
import { placeholderStyle } from '#src/ui/photos/thumbhash.ts';

type Urgency = 'first' | 'soon' | 'later';

type GalleryCardProps = {
  gallery: GalleryCardFacts;
  /**
   * How soon its large photo is needed: the first one on the page before all others, those next to it immediately,
   * others when they come near.
   */
  urgency?: Urgency;
};

/** A wide photo is cropped at its sides, so that it fills the width of the card. */
const SIZES = {
  large: '(width < 600px) 90vw, (width < 1100px) 46vw, 390px',
  small: '(width < 600px) 25vw, (width < 1100px) 12vw, 98px',
};

/** A gallery as one link: a large photo, four small ones, and its facts. */
export function GalleryCard({ gallery, urgency = 'later' }: GalleryCardProps) {
  return (
    <article className="group relative flex flex-col overflow-hidden rounded-lg border border-line bg-surface transition-colors hover:border-line-strong has-[a:focus-visible]:outline-3 has-[a:focus-visible]:outline-offset-2 has-[a:focus-visible]:outline-accent-text">
      <Mosaic gallery={gallery} urgency={urgency} />
      <div className="flex flex-1 flex-col gap-1 p-4">
        <h3 className="text-lg leading-snug">
          <Link to={gallery.address} className="outline-none after:absolute after:inset-0">
            {gallery.name}
          </Link>
        </h3>
        {gallery.owner !== null && <p className="text-sm text-quiet">{gallery.owner}</p>}
        <p className="mt-auto flex flex-wrap items-baseline gap-x-3 gap-y-1 pt-1 text-sm text-quiet tabular-nums">
          <strong className="font-bold text-ink">
            {gallery.priceCents === 0 ? 'Free' : <Price cents={gallery.priceCents} />}
          </strong>
          <time dateTime={gallery.day.machine}>{gallery.day.shown}</time>
          {!gallery.isLocked && gallery.photoCount > COUNTED_ABOVE && (
            <span>{formatCount(gallery.photoCount)} photos</span>
          )}
        </p>
      </div>
    </article>
  );
}

/** One large photo and a column of four; fewer photos share the same frame, so that cards stay equally high. */
function Mosaic({ gallery, urgency }: { gallery: GalleryCardFacts; urgency: Urgency }) {
  const [first, ...others] = gallery.preview;
  if (gallery.isLocked || !first) {
    const Icon = gallery.isLocked ? Lock : Images;
    return (
      <div className="grid aspect-[3/2] place-items-center bg-accent-tint text-accent-text">
        <span className="flex flex-col items-center gap-2 text-sm font-semibold">
          <Icon aria-hidden="true" className="size-7" />
          {gallery.isLocked && 'Password required'}
        </span>
      </div>
    );
  }
  const small = others.slice(0, PREVIEW_PHOTOS - 1);
  return (
    <div className={cx('grid aspect-[3/2] gap-0.5', small.length > 0 && 'grid-cols-[1fr_22.5%]')}>
      <Piece photo={first} sizes={SIZES.large} urgency={urgency} />
      {small.length > 0 && (
        <div className="grid min-h-0 auto-rows-fr gap-0.5">
          {small.map((photo) => (
            <Piece key={photo.id} photo={photo} sizes={SIZES.small} urgency="later" />
          ))}
        </div>
      )}
    </div>
  );
}

const PRIORITY = { first: 'high', soon: 'auto', later: 'low' } as const;

function Piece({ photo, sizes, urgency }: { photo: PhotoPreview; sizes: string; urgency: Urgency }) {
  const source = { imageUrl: photo.image_url, width: photo.width, height: photo.height };
  return (
    <div
      className="relative min-h-0 overflow-hidden bg-sunken bg-cover bg-center"
      style={placeholderStyle(photo.thumbhash)}
    >
      <img
        loading={urgency === 'later' ? 'lazy' : 'eager'}
        fetchPriority={PRIORITY[urgency]}
        decoding="async"
        alt=""
        src={renditionUrl(source.imageUrl, 480)}
        srcSet={srcSetOf(source)}
        sizes={sizes}
        className="absolute inset-0 size-full object-cover"
      />
    </div>
  );
}
