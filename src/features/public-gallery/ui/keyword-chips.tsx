import { useEffect, useRef, type MouseEvent } from 'react';
import { searchPath, type GalleryPlace } from '#src/features/galleries/gallery-link.rules.ts';
import type { KeywordChip } from '#src/features/photos/keyword-search.rules.ts';
import type { TimeSection } from '#src/features/photos/time-sections.rules.ts';
import { formatCount } from '#src/shared/counted.ts';
import { isPlainClick } from '#src/ui/photos/plain-click.ts';

type KeywordChipsProps = {
  chips: readonly KeywordChip[];
  sections: readonly TimeSection[];
  place: GalleryPlace;
  /** The current search. */
  keyword: string;
  onSearch: (text: string) => void;
  /** Goes to the photo at this position, from 0. */
  onJump: (at: number) => void;
};

/** Numbers and names of the gallery, and its times: one click finds the photos, wherever the page is scrolled. Plain links. */
export function KeywordChips({ chips, sections, place, keyword, onSearch, onJump }: KeywordChipsProps) {
  const row = useRef<HTMLElement>(null);
  // Scrolls only the row, and only as far as needed: the page and the chip under the finger stay.
  useEffect(() => {
    const line = row.current;
    const chip = line?.querySelector<HTMLElement>('[aria-current]');
    if (!line || !chip) return;
    const last = chip.offsetLeft + chip.offsetWidth + 60 - line.clientWidth;
    line.scrollTo(Math.min(chip.offsetLeft - 60, Math.max(line.scrollLeft, last)), 0);
  }, [keyword]);
  if (chips.length === 0 && sections.length === 0) return null;

  function onPress(event: MouseEvent<HTMLAnchorElement>, search: string): void {
    if (!isPlainClick(event)) return;
    event.preventDefault();
    onSearch(search);
  }

  return (
    <nav ref={row} aria-label="Numbers, names and times" className="chip-row">
      <a href="#photo-0" className="skip-photos">
        Skip to the photos
      </a>
      {sections.length > 0 && keyword === '' && (
        <select
          aria-label="Jump to a time"
          className="chip"
          value=""
          onChange={(event) => onJump(Number(event.target.value))}
        >
          <option value="" disabled>
            Time
          </option>
          {sections.map(({ at, label, count }) => (
            <option key={at} value={at}>
              {label} ({count})
            </option>
          ))}
        </select>
      )}
      {chips.map(({ name, count, search }) => {
        const isCurrent = search === keyword;
        const wanted = isCurrent ? '' : search;
        return (
          <a
            key={name}
            href={searchPath(place, wanted)}
            aria-current={isCurrent || undefined}
            className="chip"
            onClick={(event) => onPress(event, wanted)}
          >
            {name} <small>{formatCount(count)}</small>
          </a>
        );
      })}
    </nav>
  );
}
