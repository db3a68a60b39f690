/**
 * All links of the navigation bar behind one button, in a sheet at the side: for phones, and for more links than fit
 * side by side.
 */
import { lazy, Suspense, useState } from 'react';
import { useLocation } from 'react-router';
import { cx } from '#src/ui/cx.ts';
import { Menu } from '#src/ui/icon.tsx';
import { NavList } from '#src/web/frame/nav-list.tsx';
import type { NavItem } from '#src/web/navigation.ts';

type NavMenuProps = {
  items: readonly NavItem[];
  className: string;
  /** The button's label. */
  label?: string;
};

const MENU_LINK = 'min-h-13 gap-3 px-3 [&_svg]:size-5 [&_svg]:text-quiet';

const Dialog = lazy(async () => ({ default: (await import('#src/ui/dialog.tsx')).Dialog }));

/** Closes with every navigation, also to the same address; the dialog handles Escape and the page behind it. */
export function NavMenu({ items, className, label = 'Menu' }: NavMenuProps) {
  const { key } = useLocation();
  const [openAt, setOpenAt] = useState<string | null>(null);
  const isOpen = openAt === key;
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpenAt(key)}
        className={cx('noscript:hidden', className)}
      >
        <Menu aria-hidden="true" />
        {label}
      </button>
      {isOpen && (
        <Suspense>
          <Dialog open onClose={() => setOpenAt(null)} title={label} look="sheet">
            <NavList items={items} className="-mx-3" linkClassName={MENU_LINK} />
          </Dialog>
        </Suspense>
      )}
    </>
  );
}
