import type { CSSProperties, ReactNode } from 'react';
import { Check } from '#src/ui/icon.tsx';
import { tileSizes, urgencyOf } from '#src/ui/photo-rows.ts';
import { ratioOf, renditionUrl, srcSetOf, type PhotoSource } from '#src/ui/photo-sources.ts';
import { placeholderImage } from '#src/ui/thumbhash.ts';
import type { usePhotoLinks } from '#src/ui/use-photo-links.ts';

export type GridPhoto = PhotoSource & {
  id: number;
  /** base64 */
  thumbhash: string | null;
  /** From the photo's name and keywords. */
  alt: string;
};

type PhotoTileProps = {
  photo: GridPhoto;
  /** Where a press leads: the photo's own address. */
  to: string;
  /** Place in the gallery, from 0; the element's id is `photo-<index>`. */
  index: number;
  /** Its part of the phone's row, 0..1 (`phoneShares`). */
  share: number;
  /** Of the grid around it. */
  links: ReturnType<typeof usePhotoLinks>;
  /** In the cart, or picked. */
  chosen?: boolean;
  /** Buttons over the photo, inside `photo-actions`, and marks such as a tick. */
  children?: ReactNode;
};

/** One photo of the grid: its thumbhash at once, then the rendition that fits. A plain link. */
export function PhotoTile({ photo, to, index, share, links, chosen = false, children }: PhotoTileProps) {
  const ratio = ratioOf(photo);
  const urgency = urgencyOf(index);
  const sizes = tileSizes(ratio, share);
  const style: Record<string, string | number> = { '--ratio': Math.round(ratio * 10_000) / 10_000, '--share': share };
  const placeholder = photo.thumbhash === null ? null : placeholderImage(photo.thumbhash);
  if (placeholder !== null) style['backgroundImage'] = `url(${placeholder})`;
  if (links.movingPath !== null && links.movingPath === to.split('?')[0]) style['viewTransitionName'] = 'photo';
  return (
    <li
      id={`photo-${index}`}
      className="photo-tile"
      data-alone={share === 1 || undefined}
      data-chosen={chosen || undefined}
      style={style as CSSProperties}
    >
      <a href={to} onClick={links.follow}>
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
      {chosen && (
        <span aria-hidden="true" className="photo-tick">
          <Check />
        </span>
      )}
      {children}
    </li>
  );
}
