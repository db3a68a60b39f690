/** All links of the bar behind one button, in a sheet at the side: for phones, and where they are too many to stand side by side. */
import { useState } from 'react';
import { NavLink, useLocation } from 'react-router';
import { cx } from '#src/ui/cx.ts';
import { Dialog } from '#src/ui/dialog.tsx';
import { Menu } from '#src/ui/icon.tsx';
import { NavCount, NavIcon } from '#src/web/nav-icon.tsx';
import type { NavItem } from '#src/web/navigation.ts';

type NavMenuProps = {
  items: readonly NavItem[];
  /** Of the button. */
  className: string;
};

/** Closes with every navigation, also with one back to the same address; Escape and the page behind it are the dialog's business. */
export function NavMenu({ items, className }: NavMenuProps) {
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
        Menu
      </button>
      <Dialog open={isOpen} onClose={() => setOpenAt(null)} title="Menu" look="sheet">
        <ul className="-mx-3 flex flex-col">
          {items.map((item) => (
            <li key={item.to}>
              <NavLink
                to={item.to}
                className={({ isActive }) =>
                  cx(
                    'flex min-h-13 items-center gap-3 rounded px-3 font-semibold no-underline hover:bg-sunken [&_svg]:size-5 [&_svg]:text-quiet',
                    isActive && 'bg-accent-tint text-accent-text',
                  )
                }
              >
                <NavIcon name={item.icon} />
                {item.label}
                <NavCount count={item.count} />
              </NavLink>
            </li>
          ))}
        </ul>
      </Dialog>
    </>
  );
}
