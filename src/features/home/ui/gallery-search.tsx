import { useSearchParams } from 'react-router';
import { formatCount } from '#src/shared/counted.ts';
import { Button } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { SearchX } from '#src/ui/icon.tsx';

/** "3 galleries", "1 gallery for “cup”". The count is exact up to a thousand. */
export function galleriesFound(total: number, search: string): string {
  const number = `${formatCount(total)}${total >= 1_000 ? '+' : ''}`;
  const galleries = total === 1 ? '1 gallery' : `${number} galleries`;
  return search === '' ? galleries : `${galleries} for “${search}”`;
}

/** Searches the list of the page's address, from its first page. */
export function useGallerySearch(): (text: string) => void {
  const [params, setParams] = useSearchParams();
  return (text) => {
    const wanted = new URLSearchParams(params);
    wanted.delete('after');
    if (text === '') wanted.delete('search');
    else wanted.set('search', text);
    setParams(wanted, { replace: true, preventScrollReset: true });
  };
}

/** The search found no gallery. */
export function NothingFound({ search, onSearch }: { search: string; onSearch: (text: string) => void }) {
  return (
    <EmptyState
      icon={<SearchX />}
      title={`No galleries match “${search}”`}
      action={
        <Button variant="secondary" onClick={() => onSearch('')}>
          Show all galleries
        </Button>
      }
    >
      Try a shorter word, or the name of the event. Numbers and names of people are found inside each gallery.
    </EmptyState>
  );
}
