/** `/admin/audit-log`: who did what, for platform admins (threat 70). */
import { AUDIT_TITLE, auditFilter, type AuditFilter } from '#src/features/audit/audit.contract.ts';
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
import { api } from '#src/web/api-client.ts';
import type { Route } from './+types/audit-log.page.ts';
import { actionWords } from '#src/features/audit/audit.rules.ts';
import { FilterForm } from '#src/ui/form/filter-form.tsx';
import { Select } from '#src/ui/form/select.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';

export const handle = WORKING_PAGE;

const FIELDS = ['organization', 'person', 'action', 'object_type', 'object_id', 'from', 'to'] as const;

/** The fields that are filled in, unchanged. */
function readFilter(params: URLSearchParams): Partial<Record<(typeof FIELDS)[number], string>> {
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
  return (
    <Main className="pb-12">
      <PageHeader
        title={AUDIT_TITLE}
        subtitle="Who did what, newest first. Entries are never changed or deleted."
        action={
          page !== null && (
            <a
              href={`/api/v1/audit_log.csv${query && `?${query}`}`}
              download
              className={buttonStyle({ variant: 'secondary' })}
            >
              <Download aria-hidden="true" />
              Download CSV
            </a>
          )
        }
      />
      <FilterForm
        action="/admin/audit-log"
        filter={filter as Record<string, string>}
        errors={errors}
        className="sm:grid-cols-2 sm:pt-5 lg:grid-cols-4"
      >
        <Fields filter={filter} errors={errors} kinds={kinds} />
      </FilterForm>
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
            load={(place) => api('GET /api/v1/audit_log', { query: { ...filter, ...place } })}
            first={page}
            timeZone={DEFAULT_TIME_ZONE}
            office
          />
        ))}
    </Main>
  );
}

type FieldsProps = {
  filter: AuditFilter;
  errors: FieldErrors;
  kinds: { actions: string[]; objectTypes: string[] };
};

function Fields({ filter, errors, kinds }: FieldsProps) {
  return (
    <>
      <TextField
        label="Organization"
        name="organization"
        placeholder="Domain name or ID"
        defaultValue={filter.organization}
        errors={errors['organization']}
      />
      <TextField
        label="Person"
        name="person"
        placeholder="Email or number"
        defaultValue={filter.person}
        errors={errors['person']}
      />
      <Select label="Action" name="action" defaultValue={filter.action ?? ''} errors={errors['action']}>
        <option value="">Any</option>
        {withChosen(kinds.actions, filter.action).map((action) => (
          <option key={action} value={action}>
            {actionWords(action)}
          </option>
        ))}
      </Select>
      <div className="grid grid-cols-2 gap-3">
        <Select label="Thing" name="object_type" defaultValue={filter.object_type ?? ''} errors={errors['object_type']}>
          <option value="">Any</option>
          {withChosen(kinds.objectTypes, filter.object_type).map((kind) => (
            <option key={kind} value={kind}>
              {kind.replaceAll('_', ' ')}
            </option>
          ))}
        </Select>
        <TextField label="Its number" name="object_id" defaultValue={filter.object_id} errors={errors['object_id']} />
      </div>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))] gap-3 sm:contents">
        <TextField label="From" name="from" type="date" defaultValue={filter.from} errors={errors['from']} />
        <TextField label="To" name="to" type="date" defaultValue={filter.to} errors={errors['to']} />
      </div>
    </>
  );
}

/** The selected value stays in the list even if the log does not contain it. */
const withChosen = (known: readonly string[], chosen: string | undefined): readonly string[] =>
  chosen === undefined || chosen === '' || known.includes(chosen) ? known : [...known, chosen];
