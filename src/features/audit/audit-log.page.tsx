/** `/admin/audit-log`: who did what, for platform admins (threat 70). */
import { AUDIT_TITLE, auditFilter, type AuditFilter } from '#src/features/audit/audit.contract.ts';
import { AuditFilterForm } from '#src/features/audit/ui/audit-filter.tsx';
import { AuditEntryList } from '#src/features/audit/ui/audit-entry-list.tsx';
import { DEFAULT_TIME_ZONE } from '#src/shared/dates.ts';
import { isProblem, type FieldErrors } from '#src/shared/problem.ts';
import { errorsOf } from '#src/shared/validators.ts';
import { buttonStyle } from '#src/ui/button-style.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Download, SearchX } from '#src/ui/icon.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { requestContext } from '#src/web/app-context.ts';
import { requirePlatformAdmin } from '#src/web/guards.ts';
import { unlistedPage, WORKING_PAGE } from '#src/web/working-page.ts';
import type { Route } from './+types/audit-log.page.ts';

export const handle = WORKING_PAGE;

const FIELDS = ['organization', 'person', 'action', 'object_type', 'object_id', 'from', 'to'] as const;

/** The fields that are filled in, as they came. */
function readFilter(params: URLSearchParams): AuditFilter {
  return Object.fromEntries(
    FIELDS.flatMap((name) => {
      const value = params.get(name)?.trim() ?? '';
      return value === '' ? [] : [[name, value.slice(0, 300)]];
    }),
  );
}

export async function loader({ context }: Route.LoaderArgs) {
  requirePlatformAdmin(context);
  const { app, caller, url } = context.get(requestContext);
  const filter = readFilter(url.searchParams);
  const kinds = await app.audit.kinds(caller);
  const read = auditFilter.safeParse(filter);
  if (!read.success) return { filter, kinds, errors: errorsOf(read.error), page: null };
  try {
    return { filter, kinds, errors: {} as FieldErrors, page: await app.audit.search(caller, filter) };
  } catch (error) {
    if (!(isProblem(error) && error.code === 'invalid')) throw error;
    return { filter, kinds, errors: error.details.errors ?? {}, page: null };
  }
}

export const meta = () => unlistedPage(`${AUDIT_TITLE} · Sideline`);

export default function AuditLogPage({ loaderData }: Route.ComponentProps) {
  const { filter, kinds, errors, page } = loaderData;
  const query = new URLSearchParams(filter as Record<string, string>).toString();
  const asked = query === '' ? '' : `?${query}`;
  return (
    <Main className="pb-12">
      <PageHeader
        title={AUDIT_TITLE}
        subtitle="Who did what, newest first. Entries are never changed or deleted."
        action={
          page !== null && (
            <a href={`/api/v1/audit_log.csv${asked}`} download className={buttonStyle({ variant: 'secondary' })}>
              <Download aria-hidden="true" />
              Download CSV
            </a>
          )
        }
      />
      <AuditFilterForm filter={filter} errors={errors} kinds={kinds} />
      {page !== null &&
        (page.entries.length === 0 ? (
          <EmptyState icon={<SearchX />} title={query === '' ? 'No entries yet' : 'Nothing found'}>
            {query === ''
              ? 'Actions of members and platform admins are listed here.'
              : 'No entries match these filters. Clear a filter, or choose other days.'}
          </EmptyState>
        ) : (
          <AuditEntryList
            key={query}
            address={`/api/v1/audit_log${asked}`}
            first={page}
            timeZone={DEFAULT_TIME_ZONE}
            office
          />
        ))}
    </Main>
  );
}
