import type { Seller } from '#src/features/cart/ui/use-choice.ts';
import type { GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import { noPhotoOfNumber, TELL_ME_WHEN } from '#src/features/public-gallery/no-number.contract.ts';
import { TellMe } from '#src/features/public-gallery/ui/number-offers.tsx';
import { useNumberOffers } from '#src/features/public-gallery/ui/use-number-offers.ts';
import { Button } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Images, SearchX } from '#src/ui/icon.tsx';

type NoPhotosProps = {
  keyword: string;
  /** Numbers of athletes can be searched. */
  byNumber: boolean | undefined;
  /** Whether any search finds something. */
  isSearchable: boolean;
  affiliate: Seller;
  gallery: GalleryAnswer;
  onShowAll: () => void;
};

/** Like `typedNumber` on the server, whose rules this page does not load. */
const ONLY_NUMBER = /^(?:#|no\.? ?)?(\d{1,4})$/i;

/** A gallery without photos, or a search without results. */
export function NoPhotos({ keyword, byNumber = false, isSearchable, affiliate, gallery, onShowAll }: NoPhotosProps) {
  const only = byNumber ? ONLY_NUMBER.exec(keyword.trim())?.[1] : undefined;
  // Only the server knows whether the word before a number is a team.
  const offers = useNumberOffers(byNumber && only === undefined && /\d$/.test(keyword) ? gallery.id : null, keyword);
  const number = only ?? offers?.number ?? null;
  return (
    // The photos that it replaces reach the edges of a phone.
    <div className="px-3">
      {keyword === '' ? (
        <EmptyState icon={<Images />} title="No photos yet">
          They appear here as soon as {affiliate.name} adds them.
        </EmptyState>
      ) : (
        <EmptyState
          icon={<SearchX />}
          title={number === null ? `No photos match “${keyword}”` : noPhotoOfNumber(number, offers?.teams[0]?.name)}
          action={
            <div className="flex flex-wrap justify-center gap-3">
              {number !== null && <TellMe gallery={gallery} keyword={keyword} label={TELL_ME_WHEN} />}
              <Button variant="secondary" onClick={onShowAll}>
                Show all photos
              </Button>
            </div>
          }
        >
          {!isSearchable
            ? 'Numbers and names find nothing in this gallery. Please look through all of its photos.'
            : number === null
              ? 'Try another number, or a shorter word.'
              : 'New photos appear here as soon as they are added.'}
        </EmptyState>
      )}
    </div>
  );
}
