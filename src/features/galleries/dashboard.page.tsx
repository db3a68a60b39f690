/** `/:affiliate/dashboard`: an owner's last 30 days, and the galleries, to open, to share, to delete (specification A§2, "Affiliate dashboard"). */
import { useState } from 'react';
import { useRevalidator, useSearchParams } from 'react-router';
import { isPlatformAdmin, requireEditor } from '#src/features/accounts/actor.rules.ts';
import { GALLERIES_PER_PAGE, UPGRADE_FOR_MORE_GALLERIES } from '#src/features/galleries/galleries.contract.ts';
import { manageGallery, type ManagedGallery } from '#src/features/galleries/managed-gallery.rules.ts';
import { DeleteGallery } from '#src/features/galleries/ui/delete-gallery.tsx';
import { ManagedGalleries } from '#src/features/galleries/ui/managed-galleries.tsx';
import { SearchForm } from '#src/features/galleries/ui/search-form.tsx';
import { isChild } from '#src/features/organizations/organizations.rules.ts';
import { ClubList } from '#src/features/reports/ui/club-list.tsx';
import { MonthCard } from '#src/features/reports/ui/month-card.tsx';
import { Button } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Images, Plus, SearchX } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { BulkTools } from '#src/web/bulk-tools.tsx';
import { membersOnly } from '#src/web/guards.ts';
import { mayCreateGallery } from '#src/web/nav-affiliate.ts';
import type { RouteHandle } from '#src/web/route-handle.ts';
import type { Route } from './+types/dashboard.page.ts';

export const handle: RouteHandle = { layout: 'working', hidesCart: true };

export const middleware: Route.MiddlewareFunction[] = [membersOnly];

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller, url } = context.get(requestContext);
  const affiliate = context.get(affiliateContext);
  const owner = { organizationId: affiliate.id, parentOrganizationId: affiliate.parentOrganizationId };
  requireEditor(caller.actor, owner);
  const search = (url.searchParams.get('search') ?? '').trim();
  const after = url.searchParams.get('after');
  const [{ galleries, next, total }, mayCreate, month] = await Promise.all([
    app.galleries.listForOrganization(caller, owner, { search, after, limit: GALLERIES_PER_PAGE }),
    mayCreateGallery(context, affiliate),
    app.reports.dashboard(caller, affiliate),
  ]);
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
    hasBulkTools: isChild(affiliate) && isPlatformAdmin(caller.actor),
    isLimited: affiliate.freeTier && !mayCreate,
    month,
    list: { galleries: galleries.map((each) => manageGallery(each, waiting.get(each.id))), next, after },
  };
}

export function meta({ loaderData }: Route.MetaArgs) {
  return [
    { title: loaderData ? `Dashboard · ${loaderData.name}` : 'Dashboard' },
    { name: 'robots', content: 'noindex' },
  ];
}

export default function DashboardPage({ loaderData }: Route.ComponentProps) {
  const { name, path, search, total, mayCreate, hasBulkTools, isLimited, month, list } = loaderData;
  const [params, setParams] = useSearchParams();
  const { revalidate } = useRevalidator();
  const [doomed, setDoomed] = useState<ManagedGallery | null>(null);
  const [deletedIds, setDeletedIds] = useState<ReadonlySet<number>>(new Set());
  const isEmpty = total === 0 && search === '';
  // Who begins sees first how to begin; the numbers come below.
  const isBeginning = isEmpty && month.clubs.length === 0 && month.now.orders === 0 && month.before.orders === 0;

  function searchFor(text: string): void {
    const wanted = new URLSearchParams(params);
    wanted.delete('after');
    if (text === '') wanted.delete('search');
    else wanted.set('search', text);
    setParams(wanted, { replace: true, preventScrollReset: true });
  }

  const create = (
    <LinkButton to={`/${path}/create-gallery`}>
      <Plus aria-hidden="true" />
      Create New Gallery
    </LinkButton>
  );
  const upgrade = <LinkButton to={`/${path}/upgrade-account`}>Upgrade</LinkButton>;
  return (
    <Main className="pb-12">
      <PageHeader title="Dashboard" subtitle={name} action={isLimited ? upgrade : mayCreate && !isEmpty && create} />
      {hasBulkTools && <BulkTools affiliate={path} />}
      {isLimited && (
        <div className="pb-5">
          <Notice>{UPGRADE_FOR_MORE_GALLERIES}</Notice>
        </div>
      )}
      {!isBeginning && <MonthCard path={path} {...month} />}
      {month.clubs.length > 0 && (
        <>
          <h2 className="pt-8 pb-4 text-lg">
            {month.clubs.length === 1
              ? '1 organization'
              : `${month.clubs.length.toLocaleString('en-US')} organizations`}
          </h2>
          <ClubList clubs={month.clubs} />
        </>
      )}
      {!isEmpty && (
        <div className="mt-8 flex flex-wrap items-center justify-between gap-x-8 gap-y-3 pb-5">
          <h2 className="text-lg">
            <span role="status">{counted(total, search)}</span>
          </h2>
          <div className="w-full sm:w-80">
            <SearchForm
              label="Search galleries by name"
              placeholder="Search by name"
              value={search}
              onSearch={searchFor}
            />
          </div>
        </div>
      )}
      <ManagedGalleries
        key={`${search} ${list.after}`}
        first={list}
        path={path}
        search={search}
        deletedIds={deletedIds}
        onDelete={setDoomed}
      />
      {isEmpty && month.clubs.length === 0 && (
        <div className="py-8">
          <EmptyState icon={<Images />} title="No galleries yet" action={mayCreate && create}>
            A gallery holds the photos of one event. Name it, set a price, drop the photos in, and share the link.
          </EmptyState>
        </div>
      )}
      {isBeginning && <MonthCard path={path} {...month} />}
      {total === 0 && search !== '' && (
        <EmptyState
          icon={<SearchX />}
          title={`No gallery is called “${search}”`}
          action={
            <Button variant="secondary" onClick={() => searchFor('')}>
              Show all galleries
            </Button>
          }
        >
          Try a shorter word, or the name of the event.
        </EmptyState>
      )}
      <DeleteGallery
        gallery={doomed}
        onClose={() => setDoomed(null)}
        onDeleted={(id) => {
          setDeletedIds((ids) => new Set(ids).add(id));
          setDoomed(null);
          void revalidate();
        }}
      />
    </Main>
  );
}

/** The count is exact up to a thousand. */
function counted(total: number, search: string): string {
  const galleries =
    total === 1 ? '1 gallery' : `${total.toLocaleString('en-US')}${total >= 1_000 ? '+' : ''} galleries`;
  return search === '' ? galleries : `${galleries} for “${search}”`;
}
