/** `/:affiliate/edit-bulk-users`: the accounts of all organizations, for platform admins (specification A§2, "Edit Accounts"). */
import { useState } from 'react';
import { useNavigate, useNavigation, useRevalidator } from 'react-router';
import { SearchForm } from '#src/ui/search-form.tsx';
import {
  COUNTED_UP_TO,
  EDIT_ACCOUNTS_TITLE,
  SEARCH_ACCOUNTS,
} from '#src/features/office/organization-list.contract.ts';
import { listAddress, readAccountParams, shownAccount } from '#src/features/office/organization-list.rules.ts';
import { AccountsTable } from '#src/features/office/ui/accounts-table.tsx';
import { DeleteOrganization, type OrganizationToDelete } from '#src/features/office/ui/delete-organization.tsx';
import { PageLinks } from '#src/features/office/ui/page-links.tsx';
import { cx } from '#src/ui/cx.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { SearchX, Users } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { platformAdminsOnly } from '#src/web/guards.ts';
import type { RouteHandle } from '#src/web/route-handle.ts';
import type { Route } from './+types/edit-accounts.page.ts';

export const handle: RouteHandle = { layout: 'working', hidesCart: true };

export const middleware: Route.MiddlewareFunction[] = [platformAdminsOnly];

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller, url } = context.get(requestContext);
  const affiliate = context.get(affiliateContext);
  const path = `/${affiliate.domainName}/edit-bulk-users`;
  const params = readAccountParams(url.searchParams);
  const { rows, next, previous, count } = await app.organizationList.accounts(caller, params);
  const { search, sort, direction } = params;
  return {
    path,
    affiliateId: affiliate.id,
    params,
    count,
    rows: rows.map((row) => shownAccount(affiliate.domainName, row)),
    next: next === null ? null : listAddress(path, { search, sort, direction, after: next }),
    previous: previous === null ? null : listAddress(path, { search, sort, direction, before: previous }),
  };
}

export const meta: Route.MetaFunction = () => [
  { title: `${EDIT_ACCOUNTS_TITLE} · Sideline` },
  { name: 'robots', content: 'noindex' },
];

export default function EditAccountsPage({ loaderData }: Route.ComponentProps) {
  const { path, affiliateId, params, count, rows, next, previous } = loaderData;
  const { search, sort, direction } = params;
  const [toDelete, setToDelete] = useState<OrganizationToDelete | null>(null);
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const isLoading = useNavigation().location?.pathname === path;
  const kept = {
    ...(sort === 'id' && direction === 'asc' ? {} : { sort }),
    ...(direction === 'asc' ? {} : { direction }),
  };

  return (
    <Main className="pb-12">
      <PageHeader title={EDIT_ACCOUNTS_TITLE} />
      <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 py-5">
        <p role="status" className="text-sm text-quiet">
          {counted(count, search)}
        </p>
        <div className="w-full sm:w-80">
          <SearchForm
            label={SEARCH_ACCOUNTS}
            placeholder={SEARCH_ACCOUNTS}
            value={search}
            kept={kept}
            onSearch={(text) =>
              void navigate(listAddress(path, { search: text, sort, direction }), {
                replace: true,
                preventScrollReset: true,
              })
            }
          />
        </div>
      </div>
      <div aria-busy={isLoading} className={cx('transition-opacity', isLoading && 'opacity-60')}>
        {rows.length > 0 ? (
          <AccountsTable path={path} params={params} rows={rows} onDelete={setToDelete} />
        ) : search === '' ? (
          <EmptyState icon={<Users />} title="No accounts yet" action={<LinkButton to="/new-org">New Org</LinkButton>}>
            New organizations appear here.
          </EmptyState>
        ) : (
          <EmptyState
            icon={<SearchX />}
            title={`No accounts match “${search}”`}
            action={
              <LinkButton to={path} variant="secondary">
                Show all accounts
              </LinkButton>
            }
          >
            Try part of the name or email, or the full ID.
          </EmptyState>
        )}
        <PageLinks previous={previous} next={next} />
      </div>
      <DeleteOrganization
        organization={toDelete}
        onClose={() => setToDelete(null)}
        onDeleted={() => {
          // The button that opened the dialog is gone with its row.
          document.getElementById('main')?.focus();
          // Whose page this was is gone with it.
          if (toDelete?.id === affiliateId) void navigate('/admin/organizations', { replace: true });
          else void revalidate();
        }}
      />
    </Main>
  );
}

function counted(count: number, search: string): string {
  const more = count >= COUNTED_UP_TO ? '+' : '';
  const accounts = count === 1 ? '1 account' : `${count.toLocaleString('en-US')}${more} accounts`;
  return search === '' ? accounts : `${accounts} for “${search}”`;
}
