import type { ReactNode } from 'react';
import type { PublicOrganization } from '#src/features/organizations/organizations.contract.ts';

/** The organisation's sponsor: 728×90 on wide screens, 300×250 on phones (specification A§5). Nothing without a picture. */
export function SponsorBanner({ organization }: { organization: PublicOrganization }) {
  const wide = {
    image: organization.tablet_display_image_url,
    to: organization.tablet_display_url,
    width: 728,
    height: 90,
    only: 'max-md:hidden',
  };
  const phone = {
    image: organization.mobile_display_image_url,
    to: organization.mobile_display_url,
    width: 300,
    height: 250,
    only: 'md:hidden',
  };
  const shown = [wide, phone].filter(({ image }) => image !== null);
  if (shown.length === 0) return null;
  return (
    <aside aria-label="Sponsor" className="flex justify-center py-6">
      {shown.map(({ image, to, width, height, only }) => (
        <Linked key={width} to={to} className={shown.length === 2 ? only : ''}>
          <img
            src={image ?? ''}
            alt={`Sponsor of ${organization.name}`}
            width={width}
            height={height}
            loading="lazy"
            className="h-auto max-w-full rounded-sm"
          />
        </Linked>
      ))}
    </aside>
  );
}

function Linked({ to, className, children }: { to: string | null; className: string; children: ReactNode }) {
  if (to === null || !/^https?:\/\//i.test(to)) return <span className={className}>{children}</span>;
  return (
    <a href={to} rel="sponsored noopener" target="_blank" className={className}>
      {children}
    </a>
  );
}
