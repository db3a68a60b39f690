/**
 * The frames around pages. Which one is the route's choice (`handle.layout`). The page itself
 * brings its `<main id="main">`, through `Main` or one of its own.
 */
import type { ReactNode } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { cx } from '#src/ui/cx.ts';
import { buttonStyle } from '#src/ui/button-style.ts';
import { LayoutDashboard, LogIn, LogOut, Plus } from '#src/ui/icon.tsx';
import { HomeFooter, PoweredByFooter } from '#src/web/footers.tsx';
import { barIsHidden, navItems, type NavAffiliate, type NavItem } from '#src/web/navigation.ts';
import type { LayoutName } from '#src/web/route-handle.ts';
import type { Shell } from '#src/web/shell.ts';

type FrameProps = {
  layout: LayoutName;
  shell: Shell;
  /** The affiliate of the page, null on the site's own pages. */
  affiliate: (NavAffiliate & { name: string; logoUrl: string | null }) | null;
  children: ReactNode;
};

/** Puts the page into its frame. */
export function Frame({ layout, shell, affiliate, children }: FrameProps) {
  const { search } = useLocation();
  const own = affiliate ?? affiliateOfViewer(shell);
  const items = navItems(shell.viewer, own);
  const owner = affiliate ?? { name: shell.organization.name, logoUrl: shell.organization.logo_url, domainName: '' };
  const home = affiliate ? `/${affiliate.domainName}` : '/';
  if (layout === 'bare') return children;
  if (layout === 'working' && shell.viewer !== null) {
    return (
      <WorkingRoom items={items} brand={<Brand to={home} name={owner.name} logoUrl={owner.logoUrl} />}>
        {children}
      </WorkingRoom>
    );
  }
  const hidden = barIsHidden({ search, isAffiliatePage: affiliate !== null, isSignedIn: shell.viewer !== null });
  return (
    <div className="flex min-h-dvh flex-col">
      {!hidden && <TopBar items={items} brand={<Brand to={home} name={owner.name} logoUrl={owner.logoUrl} />} />}
      <div className="flex-1">{children}</div>
      {layout === 'home' ? <HomeFooter shell={shell} /> : <PoweredByFooter shell={shell} />}
    </div>
  );
}

/** Off an affiliate's pages the bar leads to the first one the viewer joined. */
function affiliateOfViewer({ viewer, mayCreateGallery }: Shell): NavAffiliate | null {
  const first = viewer?.organizations[0];
  if (!first) return null;
  return { domainName: first.domain_name, isChild: first.parent_organization_id !== null, mayCreateGallery };
}

function Brand({ to, name, logoUrl }: { to: string; name: string; logoUrl: string | null }) {
  return (
    <Link
      to={to}
      className="flex min-h-11 min-w-0 items-center gap-3 rounded font-display text-base leading-tight font-bold tracking-tight sm:text-lg sm:leading-tight"
    >
      {logoUrl ? <img src={logoUrl} alt="" className="h-9 w-auto max-w-28 object-contain" /> : <Mark />}
      <span className="line-clamp-2 min-w-0 text-balance">{name === 'www' ? 'Sideline' : name}</span>
    </Link>
  );
}

/** The house's own sign: a field with its side line. */
function Mark() {
  return (
    <svg aria-hidden="true" viewBox="0 0 32 32" className="size-8 shrink-0">
      <rect width="32" height="32" rx="8" className="fill-accent" />
      <path
        d="M9 7v18M14 11h9v10h-9z"
        fill="none"
        stroke="currentColor"
        strokeWidth="2.5"
        strokeLinejoin="round"
        strokeLinecap="round"
        className="text-on-accent"
      />
    </svg>
  );
}

const ICONS = { dashboard: LayoutDashboard, 'new-gallery': Plus, 'log-out': LogOut, 'log-in': LogIn };

function NavIcon({ item }: { item: NavItem }) {
  const Icon = ICONS[item.icon];
  return <Icon aria-hidden="true" />;
}

function TopBar({ items, brand }: { items: readonly NavItem[]; brand: ReactNode }) {
  return (
    <header className="border-b border-line bg-surface">
      <div className="mx-auto flex max-w-content items-center justify-between gap-4 px-5 py-2">
        {brand}
        <nav aria-label="Main" className="flex shrink-0 items-center gap-1">
          {items.map((item) => (
            <NavLink
              key={item.to}
              to={item.to}
              className={({ isActive }) =>
                buttonStyle({ variant: 'quiet', size: 'small', className: isActive ? 'bg-accent-tint' : '' })
              }
            >
              <NavIcon item={item} />
              <span className={cx(items.length > 2 && 'max-sm:sr-only')}>{item.label}</span>
            </NavLink>
          ))}
        </nav>
      </div>
    </header>
  );
}

const PHONE_TABS =
  'max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-30 max-md:border-t max-md:pb-[env(safe-area-inset-bottom)]';
const WIDE_RAIL = 'md:sticky md:top-0 md:h-dvh md:w-56 md:shrink-0 md:border-r';

/** Left rail on wide screens, tabs at the bottom on phones. */
function WorkingRoom({ items, brand, children }: { items: readonly NavItem[]; brand: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-h-dvh max-md:flex-col max-md:pb-[calc(4rem+var(--tray-height,0px))]">
      <header className={cx('flex flex-col gap-6 border-line bg-surface md:px-4 md:py-5', WIDE_RAIL)}>
        <div className="max-md:border-b max-md:border-line max-md:px-5 max-md:py-1.5">{brand}</div>
        <nav aria-label="Main" className={cx('flex border-line bg-surface md:flex-1 md:flex-col md:gap-1', PHONE_TABS)}>
          {items.map((item) => (
            <NavLink
              key={item.to}
              to={item.to}
              className={({ isActive }) =>
                cx(
                  'flex min-h-14 items-center rounded font-semibold no-underline max-md:flex-1 max-md:flex-col max-md:justify-center max-md:gap-0.5 max-md:text-xs md:min-h-11 md:gap-3 md:px-3 md:text-sm [&_svg]:size-5',
                  item.icon === 'log-out' && 'md:mt-auto',
                  isActive ? 'text-accent-text md:bg-accent-tint' : 'text-quiet hover:text-ink',
                )
              }
            >
              <NavIcon item={item} />
              {item.label}
            </NavLink>
          ))}
        </nav>
      </header>
      <div className="min-w-0 flex-1">{children}</div>
    </div>
  );
}
