/** `/:affiliate/bulk-gallery-csv`: galleries from a CSV file, for platform admins (specification A§2, 4, 5, 8, 9). */
import { ORGANIZATIONS_NOT_FETCHED } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { galleriesDemoFile } from '#src/features/bulk-imports/csv-columns.rules.ts';
import { CsvImportPage } from '#src/features/bulk-imports/ui/csv-import-page.tsx';
import { useOrganizationsReady } from '#src/features/bulk-imports/ui/use-csv-import.ts';
import { Button } from '#src/ui/button.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { platformAdminsOnly } from '#src/web/guards.ts';
import { WORKING_PAGE, unlistedPage } from '#src/web/working-page.ts';
import type { Route } from './+types/bulk-gallery-csv.page.ts';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [platformAdminsOnly];

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller } = context.get(requestContext);
  const { name, domainName, timeZone } = context.get(affiliateContext);
  return { name, domainName, timeZone, recent: await app.bulkImports.recent(caller, 'galleries') };
}

export const meta = () => unlistedPage('Create Galleries from CSV · Sideline');

export default function BulkGalleryCsvPage({ loaderData }: Route.ComponentProps) {
  const { name, domainName, timeZone, recent } = loaderData;
  const { readiness, retry } = useOrganizationsReady();
  return (
    <CsvImportPage
      kind="galleries"
      recent={recent}
      timeZone={timeZone}
      forms={`/${domainName}/create-bulk-gallery`}
      demo={galleriesDemoFile({ name, domainName })}
      waitsFor={readiness === 'loading' ? 'Loading organizations...' : null}
      failure={readiness === 'failed' ? <NotFetched onRetry={retry} /> : undefined}
    />
  );
}

function NotFetched({ onRetry }: { onRetry: () => void }) {
  return (
    <Notice tone="warning">
      <p className="mb-3">{ORGANIZATIONS_NOT_FETCHED}</p>
      <Button variant="secondary" size="small" onClick={onRetry}>
        Try again
      </Button>
    </Notice>
  );
}
