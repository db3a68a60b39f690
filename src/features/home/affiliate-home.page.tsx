/** `/:affiliate`: an organization's galleries, to search and to open (specification P§2.4, "Affiliate home"). */
import { dayOf, type GalleryCardFacts } from '#src/features/galleries/gallery-cards.rules.ts';
import { Link } from 'react-router';
import { GalleryList } from '#src/features/home/ui/gallery-list.tsx';
import { galleriesFound, NothingFound, useGallerySearch } from '#src/features/home/ui/gallery-search.tsx';
import { SearchForm } from '#src/ui/form/search-form.tsx';
import { SponsorBanner } from '#src/features/branding/ui/sponsor-banner.tsx';
import { TeamBanner } from '#src/features/branding/ui/team-banner.tsx';
import { fromDollars } from '#src/shared/money.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Images } from '#src/ui/icon.tsx';
import { Main } from '#src/ui/main.tsx';
import { affiliateContext, everyoneSees } from '#src/web/affiliate-context.ts';
import { useAffiliate } from '#src/web/use-affiliate.ts';
import { requestContext } from '#src/web/app-context.ts';
import { aboutAffiliate } from '#src/web/about-pages.ts';
import { pageMeta } from '#src/web/page-meta.ts';
import type { Route } from './+types/affiliate-home.page.ts';

const GALLERIES_AT_ONCE = 12;

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller, tenant, url } = context.get(requestContext);
  const affiliate = context.get(affiliateContext);
  const owner = { organizationId: affiliate.id, parentOrganizationId: affiliate.parentOrganizationId };
  everyoneSees(context, null);
  const search = (url.searchParams.get('search') ?? '').trim();
  const after = url.searchParams.get('after');
  const { galleries, next, total } = await app.galleryLists.listForOrganization(caller, owner, {
    search,
    after,
    limit: GALLERIES_AT_ONCE,
    asVisitor: true,
  });
  const parent = tenant.organization;
  const credit = await app.creditShop.soldFor(affiliate, parent);
  return {
    name: affiliate.name,
    path: affiliate.domainName,
    partner: affiliate.parentOrganizationId === parent.id ? (parent.kind === 'root' ? 'Sideline' : parent.name) : null,
    about: aboutAffiliate(context, affiliate, search === '' && after === null),
    ...(credit && {
      credit: { path: credit.seller.domainName, of: credit.seller.id === affiliate.id ? null : credit.seller.name },
    }),
    search,
    next,
    total,
    galleries: galleries.map((gallery): GalleryCardFacts => ({
      id: gallery.id,
      name: gallery.name,
      owner: null,
      address: `/${affiliate.domainName}/gallery/${gallery.id}`,
      priceCents: fromDollars(gallery.price_per_photo),
      photoCount: gallery.photo_count,
      day: dayOf(new Date(gallery.created_at), affiliate.timeZone),
      isLocked: gallery.password_required && gallery.preview.length === 0,
      preview: gallery.preview,
    })),
  };
}

export function meta({ loaderData }: Route.MetaArgs) {
  return loaderData ? pageMeta(loaderData.about) : [];
}

export default function AffiliateHomePage({ loaderData }: Route.ComponentProps) {
  const { name, path, partner, search, total, credit } = loaderData;
  const organization = useAffiliate()?.organization;
  const searchFor = useGallerySearch();
  const isEmpty = total === 0 && search === '';
  const found = galleriesFound(total, search);
  const sponsor = organization?.mobile_display_image_url ? (
    <SponsorBanner organization={organization} slot="mobile" />
  ) : null;
  return (
    <Main edgeToEdge className="pb-10">
      <TeamBanner
        name={name}
        logoUrl={organization?.logo_url ?? null}
        homeImageUrl={organization?.home_image_url ?? null}
        eyebrow={partner && `In partnership with ${partner}`}
      />
      <div className="mx-auto max-w-content px-5">
        {!isEmpty && (
          <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 pt-6 pb-5">
            <h2 className="text-lg">{found}</h2>
            <p role="status" className="sr-only">
              {search !== '' && found}
            </p>
            <div className="w-full sm:w-96">
              <SearchForm
                label="Search galleries"
                placeholder="Search by event, team, sport, etc"
                value={search}
                onSearch={searchFor}
              />
            </div>
          </div>
        )}
        {organization && <SponsorBanner organization={organization} slot="tablet" />}
        {isEmpty && (
          <div className="py-10">
            <EmptyState icon={<Images />} title="The first gallery is coming soon">
              {name} has not shown any photos yet. Come back after the next event.
            </EmptyState>
          </div>
        )}
        {total === 0 && !isEmpty && <NothingFound search={search} onSearch={searchFor} />}
        {(loaderData.galleries.length > 0 || sponsor) && (
          <GalleryList first={loaderData} path={path} search={search} sponsor={sponsor} />
        )}
        {credit && (
          <p className="pt-6 text-sm">
            Pay now, choose later:{' '}
            <Link to={`/${credit.path}/credit`} className="font-semibold underline">
              {credit.of === null ? 'Photo credit' : `Photo credit of ${credit.of}`}
            </Link>
          </p>
        )}
      </div>
    </Main>
  );
}
