/**
 * The frames around pages. The route chooses one (`handle.layout`). The page itself contains its `<main id="main">`,
 * through `Main` or one of its own.
 */
import type { ReactNode } from 'react';
import { useLocation } from 'react-router';
import { Brand } from '#src/web/frame/brand.tsx';
import { HomeFooter, PoweredByFooter } from '#src/web/frame/footers.tsx';
import { NavBar } from '#src/web/frame/nav-bar.tsx';
import { barIsHidden, navItems, type NavAffiliate } from '#src/web/navigation.ts';
import type { LayoutName } from '#src/web/route-handle.ts';
import type { Shell } from '#src/web/frame/shell.ts';
import { WorkingArea } from '#src/web/frame/working-area.tsx';

type FrameProps = {
  layout: LayoutName;
  shell: Shell;
  /** The affiliate of the page, null on the site's own pages. */
  affiliate: { name: string; logoUrl: string | null; nav: NavAffiliate } | null;
  /** A notice for the viewer above the members' pages. */
  above?: ReactNode;
  children: ReactNode;
};

/** Puts the page into its frame. */
export function Frame({ layout, shell, affiliate, above, children }: FrameProps) {
  const { search } = useLocation();
  if (layout === 'bare') return children;
  const { viewer, own, organization } = shell;
  const items = navItems(viewer, { ofPage: affiliate?.nav ?? null, own });
  const owner = affiliate ?? { name: organization.name, logoUrl: organization.logo_url };
  const brand = (
    <Brand to={affiliate ? `/${affiliate.nav.domainName}` : '/'} name={owner.name} logoUrl={owner.logoUrl} />
  );
  const hidden = barIsHidden({ search, isAffiliatePage: affiliate !== null, isSignedIn: viewer !== null });
  if (layout === 'working' && viewer !== null && !hidden) {
    return (
      <WorkingArea items={items} brand={brand} visited={affiliate?.nav.asAdmin && owner.name}>
        {above}
        {children}
      </WorkingArea>
    );
  }
  return (
    <div className="flex min-h-dvh flex-col">
      {!hidden && <NavBar items={items} brand={brand} />}
      <div className="flex-1">{children}</div>
      {layout === 'home' ? <HomeFooter shell={shell} /> : <PoweredByFooter shell={shell} />}
    </div>
  );
}
