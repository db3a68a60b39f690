import { Fragment, useRef, type ReactNode } from 'react';
import { sharesInSections } from '#src/ui/photos/photo-rows.ts';
import { ratioOf, type ListedPhoto } from '#src/ui/photos/photo-sources.ts';
import { PhotoTile } from '#src/ui/photos/photo-tile.tsx';
import { useOneTabStop } from '#src/ui/use-one-tab-stop.ts';
import { usePhotoLinks } from '#src/ui/photos/use-photo-links.ts';
import { counted } from '#src/shared/counted.ts';

type PhotoGridProps<Photo extends ListedPhoto> = {
  /** All loaded photos, from the gallery's first. */
  photos: readonly Photo[];
  /** The address of a photo. */
  toOf: (photo: Photo, index: number) => string;
  isChosen: (photo: Photo) => boolean;
  /** What is shown over a photo; see `PhotoTile`. */
  overlay?: (photo: Photo, isChosen: boolean) => ReactNode;
  /** Headings before the photos at these positions, from 0 in ascending order. */
  sections?: readonly GridSection[];
  /** For keyboard users: what the keys do. */
  hint: string;
};

type GridSection = { at: number; label: string; count: number };

const NO_SECTIONS: readonly GridSection[] = [];
const [HINT_ID, END_ID] = ['photo-keys', 'after-photos'] as const;

/**
 * Justified rows that never crop, two photos a row on phones. The server's HTML is right at every width: no script
 * measures anything, and nothing moves when the images load. One tab stop: arrows move from photo to photo, and a link
 * skips all of them.
 */
export function PhotoGrid<Photo extends ListedPhoto>(props: PhotoGridProps<Photo>) {
  const { photos, toOf, isChosen, overlay, sections = NO_SECTIONS, hint } = props;
  const { follow, movingPath } = usePhotoLinks();
  const grid = useRef<HTMLUListElement>(null);
  useOneTabStop(grid);
  const starts = new Map(sections.map((section) => [section.at, section]));
  const shares = sharesInSections(
    photos.map(ratioOf),
    sections.map(({ at }) => at),
  );
  return (
    <>
      <a href={`#${END_ID}`} className="skip-photos">
        Skip past the photos
      </a>
      <p id={HINT_ID} hidden>
        {hint}
      </p>
      <ul ref={grid} aria-label="Photos" aria-describedby={HINT_ID} className="photo-grid px-(--gutter)">
        {photos.map((photo, index) => {
          const to = toOf(photo, index);
          const section = starts.get(index);
          return (
            <Fragment key={photo.id}>
              {section && <SectionHead section={section} />}
              <PhotoTile
                photo={photo}
                to={to}
                index={index}
                share={shares[index] ?? 1}
                onFollow={follow}
                isMoving={movingPath !== null && movingPath === to.split('?')[0]}
                isChosen={isChosen(photo)}
                overlay={overlay}
              />
            </Fragment>
          );
        })}
        <li aria-hidden="true" className="photo-grid-end" />
      </ul>
      <div id={END_ID} tabIndex={-1} className="outline-none" />
    </>
  );
}

function SectionHead({ section: { at, label, count } }: { section: GridSection }) {
  return (
    <>
      {at > 0 && <li aria-hidden="true" className="photo-row-end" />}
      <li id={`section-${at}`} className="photo-section">
        <h2 className="inline text-base">{label}</h2> <small>{counted(count, 'photo', 'photos')}</small>
      </li>
    </>
  );
}
