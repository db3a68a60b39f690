import type { CSSProperties } from 'react';
import {
  isSized,
  PHONE_STAGE,
  ratioOf,
  renditionUrl,
  srcSetOf,
  stageSizes,
  type ListedPhoto,
} from '#src/ui/photos/photo-sources.ts';
import { placeholderImage } from '#src/ui/photos/thumbhash.ts';

/** The whole stage. */
const UNKNOWN = { width: '100%', height: '100%', backgroundSize: 'contain' };

/** The photo as the server renders it, and until the live stage is loaded. The tile's picture is below it. */
export function StagePicture({ photo, tile }: { photo: ListedPhoto; tile: HTMLElement | null }) {
  const ratio = ratioOf(photo);
  const seen = tile?.querySelector('img');
  const blur = photo.thumbhash === null ? null : placeholderImage(photo.thumbhash);
  const under = [seen?.complete && seen.naturalWidth > 0 ? seen.currentSrc : null, blur].filter((url) => url !== null);
  const style = {
    ...(isSized(photo) ? { '--ratio': ratio } : UNKNOWN),
    ...(under.length === 0 ? {} : { backgroundImage: under.map((url) => `url("${url}")`).join(', ') }),
  } as CSSProperties;
  return (
    <picture className="lightbox-photo" style={style}>
      <source media={PHONE_STAGE} srcSet={renditionUrl(photo.imageUrl, 960)} />
      <img
        data-still={photo.id}
        fetchPriority="high"
        sizes={stageSizes(ratio)}
        srcSet={srcSetOf(photo)}
        src={renditionUrl(photo.imageUrl, 960)}
        alt={photo.alt}
        draggable={false}
      />
    </picture>
  );
}
