/** `/:affiliate/activity`: the activity log of an organization, for its members. */
import { ACTIVITY_TITLE } from '#src/features/audit/audit.contract.ts';
import { AuditEntryList } from '#src/features/audit/ui/audit-entry-list.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Info } from '#src/ui/icon.tsx';
import { BackLink } from '#src/ui/back-link.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { api } from '#src/web/api-client.ts';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { membersOnly } from '#src/web/guards.ts';
import { workingMeta, WORKING_PAGE } from '#src/web/working-page.ts';
import type { Route } from './+types/activity.page.ts';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [membersOnly];

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller } = context.get(requestContext);
  const { id, name, domainName: path, timeZone } = context.get(affiliateContext);
  return { id, name, path, timeZone, page: await app.audit.list(caller, id) };
}

export const meta = workingMeta(ACTIVITY_TITLE);

export default function ActivityPage({ loaderData }: Route.ComponentProps) {
  const { id, name, path, timeZone, page } = loaderData;
  return (
    <Main className="pb-12">
      <PageHeader
        title={ACTIVITY_TITLE}
        subtitle={name}
        back={<BackLink to={`/${path}/settings`}>Settings</BackLink>}
      />
      <p className="max-w-[66ch] pb-5 text-sm text-quiet">
        Who changed what in your organization, newest first. Entries are never changed or deleted.
      </p>
      {page.entries.length === 0 ? (
        <EmptyState icon={<Info />} title="Nothing yet">
          Changes to settings, people, prices, payouts and requests are listed here.
        </EmptyState>
      ) : (
        <AuditEntryList
          load={(query) => api('GET /api/v1/affiliates/{id}/audit_log', { params: { id }, query })}
          first={page}
          timeZone={timeZone}
          office={false}
        />
      )}
    </Main>
  );
}
