import { useEffect, useRef, type ReactNode } from 'react';
import type { PublicOrganization } from '#src/features/tenancy/organizations.contract.ts';
import type { SponsorSlot } from '#src/features/branding/sponsors.contract.ts';
import { SPONSOR_SIZES, sponsorLinkPath, sponsorLink } from '#src/features/branding/sponsors.rules.ts';
import { api } from '#src/web/api-client.ts';

/** Phones show the square one, wider screens the flat one (specification A§5); the gallery's own breakpoint (P§9). */
const SHOWN_ON: Record<SponsorSlot, string> = {
  tablet: 'hidden justify-center pt-1 pb-6 min-[600px]:flex',
  mobile: 'flex justify-center py-2 min-[600px]:hidden',
};

type Sponsored = Pick<
  PublicOrganization,
  'id' | 'name' | `${SponsorSlot}_display_image_url` | `${SponsorSlot}_display_url`
>;

/** The sponsor in one position: 728×90 on wide screens, 300×250 on phones. Nothing without a picture. */
export function SponsorBanner({ organization, slot }: { organization: Sponsored; slot: SponsorSlot }) {
  const box = useRef<HTMLElement>(null);
  const id = organization.id;
  useEffect(() => (box.current ? countOnceSeen(box.current, id) : undefined), [id]);
  const picture = organization[`${slot}_display_image_url`];
  const link = sponsorLink(organization[`${slot}_display_url`]);
  if (picture === null) return null;
  return (
    <aside ref={box} aria-label="Sponsor" className={SHOWN_ON[slot]}>
      <div>
        <p aria-hidden="true" className="pb-1 text-xs text-quiet">
          Sponsor
        </p>
        <Linked to={link && sponsorLinkPath(id, slot)}>
          <img
            data-slot={slot}
            src={picture}
            alt={`Sponsor of ${organization.name}`}
            {...SPONSOR_SIZES[slot]}
            loading="lazy"
            className="h-auto max-w-full rounded-sm"
          />
        </Linked>
      </div>
    </aside>
  );
}

/** Counts a view when half of it was visible, once per page view; nothing about the viewer is sent. */
function countOnceSeen(box: HTMLElement, organizationId: number): () => void {
  const observer = new IntersectionObserver(
    (entries) => {
      const slot = entries.find(({ isIntersecting }) => isIntersecting)?.target.getAttribute('data-slot');
      if (slot !== 'tablet' && slot !== 'mobile') return;
      observer.disconnect();
      void api('POST /api/v1/organizations/{id}/sponsor_views', { params: { id: organizationId }, body: { slot } });
    },
    { threshold: 0.5 },
  );
  for (const image of box.querySelectorAll('img[data-slot]')) observer.observe(image);
  return () => observer.disconnect();
}

function Linked({ to, children }: { to: string | null; children: ReactNode }) {
  if (to === null) return children;
  return (
    <a href={to} rel="sponsored noopener" target="_blank" className="block">
      {children}
    </a>
  );
}
