import { Link } from 'react-router';
import { buttonStyle } from '#src/ui/button-style.ts';

type OlderLinksProps = {
  label: string;
  /** What else the address asks, ending in `&`; empty for nothing. */
  kept: string;
  /** The key that this page begins after; null on the newest. */
  after: string | number | null;
  next: string | number | null;
};

/** Pages of a list whose newest rows come first: back to those, and on to older ones. */
export function OlderLinks({ label, kept, after, next }: OlderLinksProps) {
  if (after === null && next === null) return null;
  const style = buttonStyle({ variant: 'secondary', size: 'small' });
  return (
    <nav aria-label={label} className="flex flex-wrap gap-3 pt-4">
      {after !== null && (
        <Link to={`?${kept}`} className={style}>
          Newest
        </Link>
      )}
      {next !== null && (
        <Link to={`?${kept}after=${next}`} className={style}>
          Older
        </Link>
      )}
    </nav>
  );
}
