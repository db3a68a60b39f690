/** `/:affiliate/bulk-users-csv`: accounts from a CSV file, for platform admins (specification A§2, 4, 5, 8). */
import { usersDemoFile } from '#src/features/bulk-imports/csv-columns.rules.ts';
import { CsvImportPage } from '#src/features/bulk-imports/ui/csv-import-page.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { platformAdminsOnly } from '#src/web/guards.ts';
import { WORKING_PAGE, unlistedPage } from '#src/web/working-page.ts';
import type { Route } from './+types/bulk-users-csv.page.ts';

export const handle = WORKING_PAGE;

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

export const meta = () => unlistedPage('Create Accounts from CSV · Sideline');

export default function BulkUsersCsvPage({ loaderData }: Route.ComponentProps) {
  const { path, timeZone, parentName, recent } = loaderData;
  return (
    <CsvImportPage
      kind="users"
      recent={recent}
      timeZone={timeZone}
      forms={`/${path}/create-bulk-users`}
      demo={usersDemoFile(parentName)}
    />
  );
}
