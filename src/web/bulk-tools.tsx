import { Link, useLocation } from 'react-router';
import { buttonStyle } from '#src/ui/button-style.ts';
import { BULK_ROOMS } from '#src/web/bulk-rooms.ts';

/** For platform admins at a child organisation: the links to edit-bulk-users, the CSV uploaders and their forms. */
export function BulkTools({ affiliate }: { /** Its path. */ affiliate: string }) {
  const { pathname } = useLocation();
  return (
    <nav aria-label="Bulk tools" className="-mx-3 flex flex-wrap items-center gap-x-1 pb-3">
      {BULK_ROOMS.map(({ label, page }) => {
        const to = `/${affiliate}/${page}`;
        return (
          <Link
            key={page}
            to={to}
            aria-current={pathname === to ? 'page' : undefined}
            className={buttonStyle({ variant: 'quiet', size: 'small' })}
          >
            {label}
          </Link>
        );
      })}
    </nav>
  );
}
