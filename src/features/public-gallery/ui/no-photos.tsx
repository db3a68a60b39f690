import type { Seller } from '#src/features/cart/ui/use-choice.ts';
import type { GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import { noPhotoOfNumber, TELL_ME_WHEN } from '#src/features/public-gallery/no-number.contract.ts';
import { TellMe } from '#src/features/public-gallery/ui/number-offers.tsx';
import { Button } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Images, SearchX } from '#src/ui/icon.tsx';

type NoPhotosProps = {
  keyword: string;
  /** There are numbers of athletes to search for. */
  byNumber: boolean | undefined;
  affiliate: Seller;
  gallery: GalleryAnswer;
  onShowAll: () => void;
};

/** A gallery without photos, or a search that found none. */
export function NoPhotos({ keyword, byNumber = false, affiliate, gallery, onShowAll }: NoPhotosProps) {
  if (keyword === '')
    return (
      <EmptyState icon={<Images />} title="No photos yet">
        They appear here as soon as {affiliate.name} adds them.
      </EmptyState>
    );
  const isNumber = byNumber && /^\d{1,4}$/.test(keyword);
  return (
    <EmptyState
      icon={<SearchX />}
      title={isNumber ? noPhotoOfNumber(keyword) : `No photos match “${keyword}”`}
      action={
        <div className="flex flex-wrap justify-center gap-3">
          {isNumber && <TellMe gallery={gallery} keyword={keyword} label={TELL_ME_WHEN} />}
          <Button variant="secondary" onClick={onShowAll}>
            Show all photos
          </Button>
        </div>
      }
    >
      {isNumber ? 'New photos appear here as soon as they are added.' : 'Try a jersey number or a shorter word.'}
    </EmptyState>
  );
}
