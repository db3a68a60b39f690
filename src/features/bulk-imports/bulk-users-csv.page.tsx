/** `/:affiliate/bulk-users-csv`: accounts from a CSV file, for platform admins (specification A§2, 4, 5, 8). */
import { useRevalidator } from 'react-router';
import { usersDemoFile } from '#src/features/bulk-imports/csv-columns.rules.ts';
import { ColumnList, CsvImportPanel, RecentImports } from '#src/features/bulk-imports/ui/csv-import-panel.tsx';
import { OtherWays } from '#src/features/bulk-imports/ui/other-ways.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { platformAdminsOnly } from '#src/web/guards.ts';
import type { RouteHandle } from '#src/web/route-handle.ts';
import type { Route } from './+types/bulk-users-csv.page.ts';

export const handle: RouteHandle = { layout: 'working', hidesCart: true };

export const middleware: Route.MiddlewareFunction[] = [platformAdminsOnly];

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller } = context.get(requestContext);
  const affiliate = context.get(affiliateContext);
  const parent = await app.organizations.byId(affiliate.parentOrganizationId ?? affiliate.id);
  return {
    path: affiliate.domainName,
    timeZone: affiliate.timeZone,
    parentName: parent?.name ?? affiliate.name,
    recent: await app.bulkImports.recent(caller, 'users'),
  };
}

export function meta() {
  return [{ title: 'Create Accounts from CSV · Sideline' }, { name: 'robots', content: 'noindex' }];
}

export default function BulkUsersCsvPage({ loaderData }: Route.ComponentProps) {
  const { path, timeZone, parentName, recent } = loaderData;
  const { revalidate } = useRevalidator();
  const demo = usersDemoFile(parentName);
  return (
    <Main className="pb-12">
      <PageHeader
        title="Create Accounts from CSV"
        subtitle="Each row opens an account on the free tier, with a person and an organization of their own."
        action={<OtherWays label="Use forms instead" to={`/${path}/create-bulk-users`} demo={demo} />}
      />
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem] lg:items-start">
        <div className="min-w-0">
          <CsvImportPanel kind="users" recent={recent} onChanged={() => void revalidate()} />
          <RecentImports imports={recent} timeZone={timeZone} />
        </div>
        <ColumnList kind="users" />
      </div>
    </Main>
  );
}
