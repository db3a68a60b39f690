import { Link } from 'react-router';
import { buttonStyle } from '#src/ui/button-style.ts';
import { ChevronLeft, ChevronRight } from '#src/ui/icon.tsx';

/** The pages before and after this one; null where there is none. */
export function PageLinks({ previous, next }: { previous: string | null; next: string | null }) {
  if (previous === null && next === null) return null;
  return (
    <nav aria-label="Pages" className="flex justify-between gap-3 pt-4">
      {previous === null ? (
        <span />
      ) : (
        <Link to={previous} rel="prev" className={buttonStyle({ variant: 'secondary', size: 'small' })}>
          <ChevronLeft aria-hidden="true" />
          Previous
        </Link>
      )}
      {next !== null && (
        <Link to={next} rel="next" className={buttonStyle({ variant: 'secondary', size: 'small' })}>
          Next
          <ChevronRight aria-hidden="true" />
        </Link>
      )}
    </nav>
  );
}
