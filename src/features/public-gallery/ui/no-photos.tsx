import { noPhotoOfNumber } from '#src/features/public-gallery/no-number.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Images, SearchX } from '#src/ui/icon.tsx';

type NoPhotosProps = {
  keyword: string;
  /** There are numbers of athletes to search for. */
  byNumber: boolean | undefined;
  affiliate: string;
  onShowAll: () => void;
};

/** A gallery without photos, or a search that found none. */
export function NoPhotos({ keyword, byNumber = false, affiliate, onShowAll }: NoPhotosProps) {
  if (keyword === '')
    return (
      <EmptyState icon={<Images />} title="No photos yet">
        They appear here as soon as {affiliate} adds them.
      </EmptyState>
    );
  const isNumber = byNumber && /^\d{1,4}$/.test(keyword);
  return (
    <EmptyState
      icon={<SearchX />}
      title={isNumber ? noPhotoOfNumber(keyword) : `No photos match “${keyword}”`}
      action={
        <Button variant="secondary" onClick={onShowAll}>
          Show all photos
        </Button>
      }
    >
      {isNumber ? 'New photos appear here as soon as they are added.' : 'Try a jersey number or a shorter word.'}
    </EmptyState>
  );
}
