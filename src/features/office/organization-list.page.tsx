/** `/admin/organizations`: every parent and affiliate of the platform, to view, change and delete. */
import { listAddress, officeRow, readListParams } from '#src/features/office/organization-list.rules.ts';
import { OfficeList } from '#src/features/office/ui/office-list.tsx';
import { OrganizationTable } from '#src/features/office/ui/organization-table.tsx';
import { siteOrigin, siteUrl } from '#src/shared/addresses.ts';
import { Plus } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { requestContext } from '#src/web/app-context.ts';
import { platformAdminsOnly } from '#src/web/guards.ts';
import { WORKING_PAGE, unlistedPage } from '#src/web/working-page.ts';
import type { Route } from './+types/organization-list.page.ts';

const PATH = '/admin/organizations';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [platformAdminsOnly];

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller, tenant, url } = context.get(requestContext);
  const params = readListParams(url.searchParams);
  const { rows, next, previous, count } = await app.organizationList.families(caller, params);
  const ids = rows.map(({ id }) => id);
  const figures = await app.organizationFigures.figuresOf(caller, ids);
  const origin = siteOrigin(app.site.baseDomain, app.site.port);
  const place = {
    // On its own host, the host's organization has its own name (rule 33).
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

export const meta = () => unlistedPage('Organizations · Sideline');

export default function OrganizationListPage({ loaderData }: Route.ComponentProps) {
  const { search, count, rows, next, previous } = loaderData;
  return (
    <OfficeList
      title="Organizations"
      action={
        <LinkButton to="/new-org">
          <Plus aria-hidden="true" />
          New Org
        </LinkButton>
      }
      path={PATH}
      search={search}
      searchLabel="Search organizations"
      placeholder="Name, address, email or ID"
      count={count}
      things={['organization', 'organizations']}
      tryThis="Try part of its name, its address or its contact’s email, or the whole email of a member."
      previous={previous}
      next={next}
      rows={rows.length === 0 ? null : (onDelete) => <OrganizationTable rows={rows} onDelete={onDelete} />}
    />
  );
}
