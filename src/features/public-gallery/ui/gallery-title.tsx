import type { ReactNode } from 'react';
import type { Seller } from '#src/features/cart/ui/use-choice.ts';
import { OffersLine } from '#src/features/public-gallery/ui/offers-line.tsx';
import { CONTRIBUTE_CALL, COUNTED_ABOVE, type GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import { formatCount } from '#src/shared/counted.ts';
import { fromDollars } from '#src/shared/money.ts';
import { GoalBar } from '#src/ui/goal-bar.tsx';
import { Heart, ImagePlus } from '#src/ui/icon.tsx';
import { ParentLink } from '#src/ui/parent-link.tsx';
import { Link } from '#src/ui/link.tsx';
import { Price } from '#src/ui/price.tsx';

type GalleryTitleProps = {
  gallery: GalleryAnswer;
  affiliate: Seller;
  photoCount: number;
  /** Whether this page is embedded in another one. */
  isEmbedded: boolean;
  /** What a visitor may do besides viewing. */
  children?: ReactNode;
};

/** The gallery's owner, the price of a photo and the goal. */
export function GalleryTitle({ gallery, affiliate, photoCount, isEmbedded, children }: GalleryTitleProps) {
  const price = fromDollars(gallery.price_per_photo);
  return (
    <header className="grid grid-cols-1 gap-x-10 gap-y-4 pt-5 pb-4 wrap-anywhere md:grid-cols-[minmax(0,1fr)_auto] md:items-end">
      <div className="min-w-0">
        <ParentLink to={`/${affiliate.path}`}>{affiliate.name}</ParentLink>
        <h1 className="text-2xl sm:text-3xl">{gallery.name}</h1>
        {/* The dot before the first fact of a line is outside and hidden. */}
        <div className="mt-2 overflow-x-clip text-sm text-quiet">
          <ul className="gallery-facts">
            {gallery.photos_by !== '' && <li>Photos by {gallery.photos_by}</li>}
            {photoCount > COUNTED_ABOVE && <li className="tabular-nums">{formatCount(photoCount)} photos</li>}
            {!gallery.offers && (
              <li>
                {price === 0 ? (
                  'Free'
                ) : (
                  <>
                    <strong className="font-bold text-ink">
                      <Price cents={price} />
                    </strong>{' '}
                    each
                  </>
                )}
              </li>
            )}
            <li>
              <Link
                to={`/${affiliate.path}/favorites`}
                className="-my-2.5 inline-flex min-h-11 items-center gap-1 font-semibold text-accent-text hover:underline"
              >
                <Heart aria-hidden="true" className="size-4" />
                Favorites
              </Link>
            </li>
            {gallery.allow_public_contributions && gallery.contribute_key !== null && (
              <li>
                <ContributeLink contributeKey={gallery.contribute_key} opensTab={isEmbedded} />
              </li>
            )}
          </ul>
        </div>
        {gallery.offers && (
          <OffersLine gallery={gallery} offers={gallery.offers} seller={affiliate} isEmbedded={isEmbedded} />
        )}
      </div>
      {children}
      {gallery.display_goal && (
        <div className="md:col-span-2">
          <GoalBar
            salesCents={fromDollars(gallery.sales_rev ?? 0)}
            donationCents={fromDollars(gallery.gallery_donation ?? 0)}
            targetCents={fromDollars(gallery.target_goal)}
            recipient={gallery.goal_description}
          />
        </div>
      )}
    </header>
  );
}

/** To the page where anyone may send photos; in a new tab if this page is embedded (rule 41). */
function ContributeLink({ contributeKey, opensTab }: { contributeKey: string; opensTab: boolean }) {
  const query = new URLSearchParams({ contributeKey });
  return (
    <Link
      to={`/contributor?${query}`}
      className="-my-2.5 inline-flex min-h-11 items-center gap-1 font-semibold text-accent-text hover:underline"
      {...(opensTab ? { target: '_blank', rel: 'noreferrer' } : {})}
    >
      <ImagePlus aria-hidden="true" className="size-4 shrink-0" />
      {CONTRIBUTE_CALL}
    </Link>
  );
}
