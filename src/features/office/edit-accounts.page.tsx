/** `/:affiliate/edit-bulk-users`: the accounts of all organizations, for platform admins (specification A§2, "Edit Accounts"). */
import { useNavigate } from 'react-router';
import { EDIT_ACCOUNTS_TITLE, SEARCH_ACCOUNTS } from '#src/features/office/organization-list.contract.ts';
import { listAddress, readAccountParams, shownAccount } from '#src/features/office/organization-list.rules.ts';
import { AccountsTable } from '#src/features/office/ui/accounts-table.tsx';
import { OfficeList } from '#src/features/office/ui/office-list.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Users } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { platformAdminsOnly } from '#src/web/guards.ts';
import { WORKING_PAGE, unlistedPage } from '#src/web/working-page.ts';
import type { Route } from './+types/edit-accounts.page.ts';

export const handle = WORKING_PAGE;

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

export const meta = () => unlistedPage(`${EDIT_ACCOUNTS_TITLE} · Sideline`);

export default function EditAccountsPage({ loaderData }: Route.ComponentProps) {
  const { path, affiliateId, params, count, rows, next, previous } = loaderData;
  const navigate = useNavigate();
  return (
    <OfficeList
      title={EDIT_ACCOUNTS_TITLE}
      path={path}
      search={params.search}
      kept={{ sort: params.sort, direction: params.direction }}
      searchLabel={SEARCH_ACCOUNTS}
      placeholder={SEARCH_ACCOUNTS}
      count={count}
      things={['account', 'accounts']}
      tryThis="Try part of the name or email, the full ID, or the whole email of a member."
      none={
        <EmptyState icon={<Users />} title="No accounts yet" action={<LinkButton to="/new-org">New Org</LinkButton>}>
          New organizations appear here.
        </EmptyState>
      }
      previous={previous}
      next={next}
      rows={
        rows.length === 0
          ? null
          : (onDelete) => <AccountsTable path={path} params={params} rows={rows} onDelete={onDelete} />
      }
      leavesWith={(id) => {
        if (id !== affiliateId) return false;
        // The organization of the current page was deleted.
        void navigate('/admin/organizations', { replace: true });
        return true;
      }}
    />
  );
}
