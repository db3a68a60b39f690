/** The frame of the members' pages: navigation on the left on wide screens, tabs at the bottom on phones. */
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { cx } from '#src/ui/cx.ts';
import { PlainLinks } from '#src/web/frame/nav-bar.tsx';
import { NavCount, NavIcon } from '#src/web/frame/nav-icon.tsx';
import { NavList } from '#src/web/frame/nav-list.tsx';
import { NavMenu } from '#src/web/frame/nav-menu.tsx';
import { isCurrent, type NavItem } from '#src/web/navigation.ts';

const WIDE_RAIL = 'md:sticky md:top-0 md:h-dvh md:w-60 md:shrink-0 md:overflow-y-auto md:border-r';
const TAB =
  'flex min-h-14 w-full flex-col items-center justify-center gap-0.5 rounded text-center text-[min(var(--text-xs),3.8vw)] leading-none font-semibold no-underline [&_svg]:size-5 [&_svg]:shrink-0';
const RAIL_LINK = 'min-h-11 gap-2.5 px-2.5 text-sm pointer-fine:min-h-9 [&_svg]:size-5 [&_svg]:shrink-0';
/** How many fit at the bottom of a phone; the last one becomes the menu if there are more. */
const TABS = 4;

type WorkingAreaProps = {
  items: readonly NavItem[];
  brand: ReactNode;
  /** The organization that the viewer looks at as a platform admin. */
  visited?: string | false | undefined;
  children: ReactNode;
};

export function WorkingArea({ items, brand, visited, children }: WorkingAreaProps) {
  return (
    <div className="flex min-h-dvh max-md:flex-col max-md:pb-[calc(4rem+var(--tray-height,0px))] print:block">
      <header className={cx('flex flex-col gap-6 border-line bg-surface md:px-4 md:py-5 print:hidden', WIDE_RAIL)}>
        <div className="max-md:border-b max-md:border-line max-md:px-5 max-md:py-1.5">{brand}</div>
        {items.length > TABS && <PlainLinks items={items} />}
        <nav aria-label="Main" className="flex flex-1 flex-col max-md:hidden">
          <NavList
            items={items}
            className="flex-1 gap-0.5"
            linkClassName={cx(RAIL_LINK, 'text-quiet aria-[current]:text-accent-text')}
          />
        </nav>
        <PhoneTabs items={items} />
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

function PhoneTabs({ items }: { items: readonly NavItem[] }) {
  const { pathname } = useLocation();
  const hasMenu = items.length > TABS;
  // The names of bulk tools do not fit on a tab; what not every club uses is in the menu.
  const isTab = ({ group, icon }: NavItem) => group !== 'Bulk tools' && icon !== 'prices' && icon !== 'roster';
  const tabs = hasMenu ? items.filter(isTab).slice(0, TABS - 1) : items;
  const tone = (isHere: boolean) => (isHere ? 'text-accent-text' : 'text-quiet hover:text-ink');
  const isInMenu = items.some((item) => !tabs.includes(item) && isCurrent(item, pathname));
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-30 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <ul className="flex">
        {tabs.map((item) => {
          const isHere = isCurrent(item, pathname);
          return (
            <li key={item.to} className="min-w-0 flex-1">
              <Link to={item.to} aria-current={isHere ? 'page' : undefined} className={cx(TAB, tone(isHere))}>
                <NavIcon name={item.icon} />
                <span>
                  {item.label} <NavCount count={item.count} />
                </span>
              </Link>
            </li>
          );
        })}
        {hasMenu && (
          <li className="min-w-0 flex-1">
            <NavMenu items={items} label="More" className={cx(TAB, tone(isInMenu))} />
          </li>
        )}
      </ul>
    </nav>
  );
}
