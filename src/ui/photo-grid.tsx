import type { ReactNode } from 'react';
import { cx } from '#src/ui/cx.ts';
import { phoneShares } from '#src/ui/photo-rows.ts';
import { ratioOf } from '#src/ui/photo-sources.ts';
import { PhotoTile, type GridPhoto } from '#src/ui/photo-tile.tsx';
import { usePhotoLinks } from '#src/ui/use-photo-links.ts';

type PhotoGridProps<Photo extends GridPhoto> = {
  /** All that are loaded, from the gallery's first. */
  photos: readonly Photo[];
  /** The address of a photo. */
  toOf: (photo: Photo, index: number) => string;
  isChosen?: (photo: Photo) => boolean;
  /** What lies over a photo; see `PhotoTile`. */
  overlay?: (photo: Photo, index: number) => ReactNode;
  label: string;
  className?: string;
};

/**
 * Justified rows that never crop, two photos a row on phones. The server's html stands right at
 * every width: no script measures anything, and nothing moves when the images come.
 */
export function PhotoGrid<Photo extends GridPhoto>({
  photos,
  toOf,
  isChosen,
  overlay,
  label,
  className,
}: PhotoGridProps<Photo>) {
  const links = usePhotoLinks();
  const shares = phoneShares(photos.map(ratioOf));
  return (
    <ul aria-label={label} className={cx('photo-grid', className)}>
      {photos.map((photo, index) => (
        <PhotoTile
          key={photo.id}
          photo={photo}
          to={toOf(photo, index)}
          index={index}
          share={shares[index] ?? 1}
          links={links}
          chosen={isChosen?.(photo) ?? false}
        >
          {overlay?.(photo, index)}
        </PhotoTile>
      ))}
      <li aria-hidden="true" className="photo-grid-end" />
    </ul>
  );
}
