import { useEffect, useRef, type ReactNode } from 'react';
import type { PublicOrganization } from '#src/features/organizations/organizations.contract.ts';
import type { SponsorSlot } from '#src/features/organizations/sponsors.contract.ts';
import { SPONSOR_SIZES, sponsorDoorPath, sponsorLink } from '#src/features/organizations/sponsors.rules.ts';
import { callApi } from '#src/web/api-client.ts';

/** Phones have the square one, everything wider the flat one (specification A§5); the gallery's own breakpoint (P§9). */
const SHOWN_ON: Record<SponsorSlot, string> = {
  tablet: 'max-[600px]:hidden',
  mobile: 'min-[600px]:hidden',
};

/** The organisation's sponsor: 728×90 on wide screens, 300×250 on phones. Nothing without a picture. */
export function SponsorBanner({ organization }: { organization: PublicOrganization }) {
  const pictures = { tablet: organization.tablet_display_image_url, mobile: organization.mobile_display_image_url };
  const links = { tabletAdUrl: organization.tablet_display_url, mobileAdUrl: organization.mobile_display_url };
  const box = useRef<HTMLElement>(null);
  const id = organization.id;
  useEffect(() => (box.current ? countOnceSeen(box.current, id) : undefined), [id]);
  const slots = (['tablet', 'mobile'] as const).filter((slot) => pictures[slot] !== null);
  if (slots.length === 0) return null;
  return (
    <aside
      ref={box}
      aria-label="Sponsor"
      className={`justify-center pt-1 pb-6 ${slots.length === 2 ? 'flex' : slots[0] === 'tablet' ? 'hidden min-[600px]:flex' : 'flex min-[600px]:hidden'}`}
    >
      {slots.map((slot) => (
        <Linked
          key={slot}
          to={sponsorLink(links, slot) === null ? null : sponsorDoorPath(id, slot)}
          className={SHOWN_ON[slot]}
        >
          <img
            data-slot={slot}
            src={pictures[slot] ?? ''}
            alt={`Sponsor of ${organization.name}`}
            {...SPONSOR_SIZES[slot]}
            loading="lazy"
            className="h-auto max-w-full rounded-sm"
          />
        </Linked>
      ))}
    </aside>
  );
}

/** Seen is: half of it was in sight. Once per view of the page; who looked is not told. */
function countOnceSeen(box: HTMLElement, organizationId: number): () => void {
  const observer = new IntersectionObserver(
    (entries) => {
      const slot = entries.find(({ isIntersecting }) => isIntersecting)?.target.getAttribute('data-slot');
      if (!slot) return;
      observer.disconnect();
      void callApi('POST', `/api/v1/organizations/${organizationId}/sponsor_views`, { body: { slot } });
    },
    { threshold: 0.5 },
  );
  for (const image of box.querySelectorAll('img[data-slot]')) observer.observe(image);
  return () => observer.disconnect();
}

function Linked({ to, className, children }: { to: string | null; className: string; children: ReactNode }) {
  if (to === null) return <span className={className}>{children}</span>;
  return (
    <a href={to} rel="sponsored noopener" target="_blank" className={className}>
      {children}
    </a>
  );
}
