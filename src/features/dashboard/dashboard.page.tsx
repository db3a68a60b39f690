/**
 * `/:affiliate/dashboard`: an owner's last 30 days, and the galleries to open, share and delete (specification A§2, "Affiliate
 * dashboard").
 */
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { requireEditor } from '#src/features/tenancy/actor.rules.ts';
import { upgradePath } from '#src/features/billing/upgrade-link.rules.ts';
import { LimitReached } from '#src/features/billing/ui/limit-reached.tsx';
import { GALLERIES_PER_PAGE, UPGRADE_FOR_MORE_GALLERIES } from '#src/features/galleries/galleries.contract.ts';
import { manageGallery, type ManagedGallery } from '#src/features/galleries/gallery-cards.rules.ts';
import { nextStep } from '#src/features/dashboard/start-guide.rules.ts';
import { DeleteGallery } from '#src/features/gallery-editor/ui/delete-gallery.tsx';
import { ManagedGalleries } from '#src/features/dashboard/ui/managed-galleries.tsx';
import { galleriesFound, NothingFound, useGallerySearch } from '#src/features/home/ui/gallery-search.tsx';
import { SearchForm } from '#src/ui/form/search-form.tsx';
import { StartGuide } from '#src/features/dashboard/ui/start-guide.tsx';
import { isChild } from '#src/features/tenancy/organizations.rules.ts';
import { PayeeUnknown } from '#src/features/payouts/ui/payee-unknown.tsx';
import { siteOrigin, siteUrl } from '#src/shared/addresses.ts';
import { FirstOrganization } from '#src/features/reports/ui/first-organization.tsx';
import { ClubList } from '#src/features/reports/ui/club-list.tsx';
import { MonthCard } from '#src/features/statements/ui/month-card.tsx';
import { Plus } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { membersOnly } from '#src/web/guards.ts';
import { mayCreateGallery } from '#src/web/frame/nav-affiliate.ts';
import { WORKING_PAGE, workingMeta } from '#src/web/working-page.ts';
import type { Route } from './+types/dashboard.page.ts';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [membersOnly];

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller, url } = context.get(requestContext);
  const affiliate = context.get(affiliateContext);
  const owner = { organizationId: affiliate.id, parentOrganizationId: affiliate.parentOrganizationId };
  requireEditor(caller.actor, owner);
  const search = (url.searchParams.get('search') ?? '').trim();
  const after = url.searchParams.get('after');
  const [{ galleries, next, total }, mayCreate, month] = await Promise.all([
    app.galleryLists.listForOrganization(caller, owner, { search, after, limit: GALLERIES_PER_PAGE }),
    mayCreateGallery(context, affiliate),
    app.reports.dashboard(caller, affiliate),
  ]);
  const [only] = galleries;
  // Looked up only if the guide depends on it: for a club with one gallery, and photos in it.
  const isVisited =
    total === 1 && only !== undefined && only.photo_count > 0
      ? (only.sales_count ?? 0) > 0 || (await app.visits.wasVisited(caller, only.id))
      : false;
  const waiting = await app.contributors.waitingIn(
    caller,
    owner,
    galleries.map(({ id }) => id),
  );
  return {
    name: affiliate.name,
    path: affiliate.domainName,
    search,
    total,
    mayCreate,
    isLimited: affiliate.freeTier && !mayCreate,
    month,
    signUpAddress:
      !isChild(affiliate) && month.clubs.length === 0
        ? siteUrl(siteOrigin(app.site.baseDomain, app.site.port), affiliate.domainName, '/sign-up')
        : null,
    needsPayee: month.now.orders + month.before.orders > 0 && (await app.payouts.lacksPayee(caller, affiliate.id)),
    guide:
      isChild(affiliate) && search === '' && after === null
        ? {
            next: nextStep({ galleries: total, photos: only?.photo_count ?? 0, isVisited }),
            galleryId: only?.id ?? null,
          }
        : null,
    list: { galleries: galleries.map((each) => manageGallery(each, waiting.get(each.id))), next, after },
  };
}

export const meta = workingMeta('Dashboard');

export default function DashboardPage({ loaderData }: Route.ComponentProps) {
  const { name, path, search, total, mayCreate, isLimited, month, signUpAddress, needsPayee, guide, list } = loaderData;
  const searchFor = useGallerySearch();
  const { revalidate } = useRevalidator();
  const [toDelete, setToDelete] = useState<ManagedGallery | null>(null);
  const [deletedIds, setDeletedIds] = useState<ReadonlySet<number>>(new Set());
  const isEmpty = total === 0 && search === '';

  const create = (
    <LinkButton to={`/${path}/create-gallery`}>
      <Plus aria-hidden="true" />
      Create New Gallery
    </LinkButton>
  );
  return (
    <Main className="pb-12">
      <PageHeader title="Dashboard" subtitle={name} action={mayCreate && !isEmpty && create} />
      {/* New owners first see how to start. */}
      {guide?.next && <StartGuide next={guide.next} path={path} galleryId={guide.galleryId} />}
      {signUpAddress !== null && <FirstOrganization signUpAddress={signUpAddress} />}
      <MonthCard path={path} isNew={Boolean(guide?.next) || (signUpAddress !== null && isEmpty)} {...month} />
      {needsPayee && (
        <div className="pt-4">
          <Notice tone="warning">
            <PayeeUnknown path={path} />
          </Notice>
        </div>
      )}
      {month.clubs.length > 0 && <ClubList clubs={month.clubs} />}
      {!isEmpty && <GalleriesHead total={total} search={search} onSearch={searchFor} />}
      <ManagedGalleries
        key={`${search} ${list.after}`}
        first={list}
        path={path}
        search={search}
        deletedIds={deletedIds}
        onDelete={setToDelete}
      />
      {isLimited && (
        <div className="pt-6">
          <LimitReached upgradeTo={upgradePath(path)}>{UPGRADE_FOR_MORE_GALLERIES}</LimitReached>
        </div>
      )}
      {total === 0 && search !== '' && <NothingFound search={search} onSearch={searchFor} />}
      <DeleteGallery
        gallery={toDelete}
        onClose={() => setToDelete(null)}
        onDeleted={(id) => {
          setDeletedIds((ids) => new Set(ids).add(id));
          setToDelete(null);
          void revalidate();
        }}
      />
    </Main>
  );
}

type GalleriesHeadProps = { total: number; search: string; onSearch: (text: string) => void };

function GalleriesHead({ total, search, onSearch }: GalleriesHeadProps) {
  return (
    <div className="mt-8 flex flex-wrap items-center justify-between gap-x-8 gap-y-3 pb-5">
      <h2 className="text-lg">
        <span role="status">{galleriesFound(total, search)}</span>
      </h2>
      <div className="w-full sm:w-80">
        <SearchForm label="Search galleries by name" placeholder="Search by name" value={search} onSearch={onSearch} />
      </div>
    </div>
  );
}
