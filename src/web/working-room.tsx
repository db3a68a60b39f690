/** The frame of the working pages: left rail on wide screens, tabs at the bottom on phones. */
import type { ReactNode } from 'react';
import { NavLink } from 'react-router';
import { cx } from '#src/ui/cx.ts';
import { PlainLinks } from '#src/web/nav-bar.tsx';
import { NavCount, NavIcon } from '#src/web/nav-icon.tsx';
import { NavMenu } from '#src/web/nav-menu.tsx';
import type { NavItem } from '#src/web/navigation.ts';

const PHONE_TABS =
  'max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-30 max-md:border-t max-md:pb-[env(safe-area-inset-bottom)]';
const WIDE_RAIL = 'md:sticky md:top-0 md:h-dvh md:w-56 md:shrink-0 md:overflow-y-auto md:border-r';
const TAB =
  'flex min-h-14 items-center rounded font-semibold no-underline max-md:w-full max-md:flex-col max-md:justify-center max-md:gap-0.5 max-md:text-center max-md:text-xs max-md:leading-none md:min-h-11 md:gap-3 md:px-3 md:text-sm [&_svg]:size-5 [&_svg]:shrink-0';
/** A phone's bottom has room for this many; the last of them becomes the menu where there are more. */
const TABS = 4;

type WorkingRoomProps = {
  items: readonly NavItem[];
  brand: ReactNode;
  /** The organisation that the viewer looks at as a platform admin. */
  visited?: string | false | undefined;
  children: ReactNode;
};

export function WorkingRoom({ items, brand, visited, children }: WorkingRoomProps) {
  const hasMenu = items.length > TABS;
  return (
    <div className="flex min-h-dvh max-md:flex-col max-md:pb-[calc(4rem+var(--tray-height,0px))] print:block">
      <header className={cx('flex flex-col gap-6 border-line bg-surface md:px-4 md:py-5 print:hidden', WIDE_RAIL)}>
        <div className="max-md:border-b max-md:border-line max-md:px-5 max-md:py-1.5">{brand}</div>
        {hasMenu && <PlainLinks items={items} />}
        <nav aria-label="Main" className={cx('border-line bg-surface md:flex md:flex-1 md:flex-col', PHONE_TABS)}>
          <ul className="flex md:flex-1 md:flex-col md:gap-1">
            {items.map((item, place) => (
              <li
                key={item.to}
                className={cx(
                  'max-md:min-w-0 max-md:flex-1',
                  item.icon === 'log-out' && 'md:mt-auto',
                  hasMenu && place >= TABS - 1 && 'max-md:hidden',
                )}
              >
                <NavLink
                  to={item.to}
                  className={({ isActive }) =>
                    cx(TAB, isActive ? 'text-accent-text md:bg-accent-tint' : 'text-quiet hover:text-ink')
                  }
                >
                  <NavIcon name={item.icon} />
                  <span>
                    {item.label} <NavCount count={item.count} />
                  </span>
                </NavLink>
              </li>
            ))}
            {hasMenu && (
              <li className="min-w-0 flex-1 md:hidden">
                <NavMenu items={items} className={cx(TAB, 'text-quiet')} />
              </li>
            )}
          </ul>
        </nav>
      </header>
      <div className="min-w-0 flex-1">
        {visited && (
          <aside aria-label="Whose pages these are" className="bg-warning-tint px-5 py-2 text-sm break-words">
            You are looking at {visited} as a platform admin.
          </aside>
        )}
        {children}
      </div>
    </div>
  );
}
