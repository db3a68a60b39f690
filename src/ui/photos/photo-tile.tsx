import { memo, type CSSProperties, type MouseEvent, type ReactNode } from 'react';
import { tileSizes, urgencyOf } from '#src/ui/photos/photo-rows.ts';
import { ratioOf, renditionUrl, srcSetOf, type ListedPhoto } from '#src/ui/photos/photo-sources.ts';
import { placeholderStyle } from '#src/ui/photos/thumbhash.ts';

type PhotoTileProps<Photo extends ListedPhoto> = {
  photo: Photo;
  /** The target of a click: the photo's own address. */
  to: string;
  /** Position in the gallery, from 0; the element's id is `photo-<index>`. */
  index: number;
  /** Its part of the phone's row, 0..1 (`phoneShares`). */
  share: number;
  onFollow: (event: MouseEvent<HTMLAnchorElement>) => void;
  /** Moving to the stage or back. */
  isMoving: boolean;
  /** In the cart, or selected. */
  isChosen: boolean;
  /** Buttons over the photo. The same function at every render, so that only changed tiles are rendered again. */
  overlay?: ((photo: Photo, isChosen: boolean) => ReactNode) | undefined;
};

/** One photo of the grid: first its thumbhash, then the rendition that fits. A plain link. */
function Tile<Photo extends ListedPhoto>(props: PhotoTileProps<Photo>) {
  const { photo, to, index, share, onFollow, isMoving, isChosen, overlay } = props;
  const ratio = ratioOf(photo);
  const urgency = urgencyOf(index);
  const sizes = tileSizes(ratio, share);
  const style = {
    '--ratio': Math.round(ratio * 10_000) / 10_000,
    '--share': share,
    ...placeholderStyle(photo.thumbhash),
    ...(isMoving && { viewTransitionName: 'photo' }),
  };
  return (
    <li
      id={`photo-${index}`}
      className="photo-tile"
      data-alone={share === 1 || undefined}
      data-chosen={isChosen || undefined}
      style={style as CSSProperties}
    >
      <a href={to} onClick={onFollow}>
        <img
          {...urgency}
          sizes={urgency.loading === 'lazy' ? `auto, ${sizes}` : sizes}
          srcSet={srcSetOf(photo)}
          src={renditionUrl(photo.imageUrl, 480)}
          alt={photo.alt}
          decoding="async"
          draggable={false}
        />
      </a>
      {overlay?.(photo, isChosen)}
    </li>
  );
}

export const PhotoTile = memo(Tile) as typeof Tile;
