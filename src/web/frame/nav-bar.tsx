/** The bar at the top of public pages: links side by side if they fit, otherwise behind one button. */
import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router';
import { buttonStyle } from '#src/ui/button-style.ts';
import { cx } from '#src/ui/cx.ts';
import { NavCount, NavIcon } from '#src/web/frame/nav-icon.tsx';
import { NavMenu } from '#src/web/frame/nav-menu.tsx';
import { isCurrent, type NavItem } from '#src/web/navigation.ts';

/** More than this are behind the button on wide screens, too; more than six are on tablets. */
const SIDE_BY_SIDE = 7;
const ON_TABLETS = 6;

export function NavBar({ items, brand }: { items: readonly NavItem[]; brand: ReactNode }) {
  // The specification's links need the space; those who have so many find "Account" on every page of theirs.
  const ofBar = items.length <= SIDE_BY_SIDE ? items : items.filter(({ icon }) => icon !== 'account');
  const fits = ofBar.length <= SIDE_BY_SIDE;
  const fitsTablets = ofBar.length <= ON_TABLETS;
  return (
    <header className="nav-bar border-b border-line bg-surface print:hidden">
      <div className="mx-auto flex max-w-content flex-wrap items-center justify-between gap-x-4 px-5 py-2">
        {/* Two lines if the longest word of a name and the menu do not fit side by side. */}
        <div className="min-w-min flex-1 basis-0">{brand}</div>
        <nav aria-label="Main" className="flex shrink-0 items-center gap-1">
          <ul className={cx('flex items-center gap-1', fitsTablets ? 'max-md:hidden' : 'max-lg:hidden')}>
            {(fits ? ofBar : ofBar.slice(0, ON_TABLETS - 1)).map((item) => (
              <li key={item.to}>
                <BarLink item={item} />
              </li>
            ))}
          </ul>
          <NavMenu
            items={items}
            className={cx(LINK, 'hover:bg-sunken', fits && (fitsTablets ? 'md:hidden' : 'lg:hidden'))}
          />
        </nav>
      </div>
      <PlainLinks items={items} />
    </header>
  );
}

const LINK =
  'inline-flex min-h-11 items-center gap-2 rounded px-3 text-sm font-semibold whitespace-nowrap no-underline transition-colors pointer-fine:min-h-9 [&_svg]:size-[1.15em]';

function BarLink({ item }: { item: NavItem }) {
  const isMain = item.to === '/sign-up';
  const isHere = isCurrent(item, useLocation().pathname);
  return (
    <Link
      to={item.to}
      aria-current={isHere ? 'page' : undefined}
      className={
        isMain
          ? buttonStyle({ size: 'small' })
          : cx(LINK, isHere ? 'bg-accent-tint text-accent-text' : 'hover:bg-sunken')
      }
    >
      <NavIcon name={item.icon} />
      {item.label}
      <NavCount count={item.count} />
    </Link>
  );
}

/** Without JavaScript the button of the menu does nothing: on narrow screens the links are below the bar instead. */
export function PlainLinks({ items }: { items: readonly NavItem[] }) {
  return (
    <noscript>
      <nav aria-label="All pages" className="border-t border-line px-5 md:hidden">
        <ul className="flex flex-wrap gap-x-5">
          {items.map((item) => (
            <li key={item.to}>
              <a href={item.to} className="inline-flex min-h-11 items-center font-semibold">
                {item.label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </noscript>
  );
}
