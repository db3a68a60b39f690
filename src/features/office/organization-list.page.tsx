/** `/admin/organizations`: every parent and affiliate of the platform, to look into, to change, to delete. */
import { useState } from 'react';
import { useNavigate, useNavigation, useRevalidator } from 'react-router';
import { SearchForm } from '#src/ui/search-form.tsx';
import { COUNTED_UP_TO } from '#src/features/office/organization-list.contract.ts';
import { listAddress, officeRow, readListParams } from '#src/features/office/organization-list.rules.ts';
import { DeleteOrganization, type OrganizationToDelete } from '#src/features/office/ui/delete-organization.tsx';
import { OrganizationTable } from '#src/features/office/ui/organization-table.tsx';
import { PageLinks } from '#src/features/office/ui/page-links.tsx';
import { siteOrigin, siteUrl } from '#src/shared/addresses.ts';
import { cx } from '#src/ui/cx.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Plus, SearchX } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { requestContext } from '#src/web/app-context.ts';
import { platformAdminsOnly } from '#src/web/guards.ts';
import type { RouteHandle } from '#src/web/route-handle.ts';
import type { Route } from './+types/organization-list.page.ts';

const PATH = '/admin/organizations';

export const handle: RouteHandle = { layout: 'working', hidesCart: true };

export const middleware: Route.MiddlewareFunction[] = [platformAdminsOnly];

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller, tenant, url } = context.get(requestContext);
  const params = readListParams(url.searchParams);
  const { rows, next, previous, count } = await app.organizationList.families(caller, params);
  const figures = await app.organizationFigures.figuresOf(
    caller,
    rows.map(({ id }) => id),
  );
  const origin = siteOrigin(app.site.baseDomain, app.site.port);
  const place = {
    // The host's organization is on its host under its own name (rule 33).
    label: tenant.organization.domainName,
    addressOf: (hostLabel: string, path: string) => siteUrl(origin, hostLabel, path),
  };
  return {
    search: params.search,
    count,
    rows: rows.map((row) => officeRow(row, figures.get(row.id), place)),
    next: next === null ? null : listAddress(PATH, { search: params.search, after: next }),
    previous: previous === null ? null : listAddress(PATH, { search: params.search, before: previous }),
  };
}

export const meta: Route.MetaFunction = () => [
  { title: 'Organizations · Sideline' },
  { name: 'robots', content: 'noindex' },
];

export default function OrganizationListPage({ loaderData }: Route.ComponentProps) {
  const { search, count, rows, next, previous } = loaderData;
  const [toDelete, setToDelete] = useState<OrganizationToDelete | null>(null);
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const isLoading = useNavigation().location?.pathname === PATH;

  return (
    <Main className="pb-12">
      <PageHeader
        title="Organizations"
        action={
          <LinkButton to="/new-org">
            <Plus aria-hidden="true" />
            New Org
          </LinkButton>
        }
      />
      <div className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 py-5">
        <p role="status" className="text-sm text-quiet">
          {counted(count, search)}
        </p>
        <div className="w-full sm:w-80">
          <SearchForm
            label="Search organizations"
            placeholder="Name, address, email or ID"
            value={search}
            onSearch={(text) =>
              void navigate(listAddress(PATH, { search: text }), { replace: true, preventScrollReset: true })
            }
          />
        </div>
      </div>
      <div aria-busy={isLoading} className={cx('transition-opacity', isLoading && 'opacity-60')}>
        {rows.length > 0 ? (
          <OrganizationTable rows={rows} onDelete={setToDelete} />
        ) : (
          <EmptyState
            icon={<SearchX />}
            title={`No organizations match “${search}”`}
            action={
              <LinkButton to={PATH} variant="secondary">
                Show all organizations
              </LinkButton>
            }
          >
            Try part of its name, its address or its contact’s email.
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
          void revalidate();
        }}
      />
    </Main>
  );
}

function counted(count: number, search: string): string {
  const more = count >= COUNTED_UP_TO ? '+' : '';
  const organizations = count === 1 ? '1 organization' : `${count.toLocaleString('en-US')}${more} organizations`;
  return search === '' ? organizations : `${organizations} for “${search}”`;
}
