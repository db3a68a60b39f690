/** `/:affiliate/bulk-gallery-csv`: galleries from a CSV file, for platform admins (specification A§2, 4, 5, 8, 9). */
import { useRevalidator } from 'react-router';
import { ORGANIZATIONS_NOT_FETCHED } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { galleriesDemoFile } from '#src/features/bulk-imports/csv-columns.rules.ts';
import { ColumnList, CsvImportPanel, RecentImports } from '#src/features/bulk-imports/ui/csv-import-panel.tsx';
import { OtherWays } from '#src/features/bulk-imports/ui/other-ways.tsx';
import { useOrganizationsReady } from '#src/features/bulk-imports/ui/use-csv-import.ts';
import { Button } from '#src/ui/button.tsx';
import { Main } from '#src/ui/main.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { platformAdminsOnly } from '#src/web/guards.ts';
import type { RouteHandle } from '#src/web/route-handle.ts';
import type { Route } from './+types/bulk-gallery-csv.page.ts';

export const handle: RouteHandle = { layout: 'working', hidesCart: true };

export const middleware: Route.MiddlewareFunction[] = [platformAdminsOnly];

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller } = context.get(requestContext);
  const { name, domainName, timeZone } = context.get(affiliateContext);
  return { name, domainName, timeZone, recent: await app.bulkImports.recent(caller, 'galleries') };
}

export function meta() {
  return [{ title: 'Create Galleries from CSV · Sideline' }, { name: 'robots', content: 'noindex' }];
}

export default function BulkGalleryCsvPage({ loaderData }: Route.ComponentProps) {
  const { name, domainName, timeZone, recent } = loaderData;
  const { revalidate } = useRevalidator();
  const { readiness, retry } = useOrganizationsReady();
  const demo = galleriesDemoFile({ name, domainName });
  return (
    <Main className="pb-12">
      <PageHeader
        title="Create Galleries from CSV"
        subtitle="Each row creates a gallery for the organization it names, ready for photos."
        action={<OtherWays label="Use forms instead" to={`/${domainName}/create-bulk-gallery`} demo={demo} />}
      />
      <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem] lg:items-start">
        <div className="min-w-0">
          {readiness === 'failed' ? (
            <Notice tone="warning">
              <p className="mb-3">{ORGANIZATIONS_NOT_FETCHED}</p>
              <Button variant="secondary" size="small" onClick={retry}>
                Try again
              </Button>
            </Notice>
          ) : (
            <CsvImportPanel
              kind="galleries"
              recent={recent}
              waitsFor={readiness === 'loading' ? 'Loading organizations...' : null}
              onChanged={() => void revalidate()}
            />
          )}
          <RecentImports imports={recent} timeZone={timeZone} />
        </div>
        <ColumnList kind="galleries" />
      </div>
    </Main>
  );
}
