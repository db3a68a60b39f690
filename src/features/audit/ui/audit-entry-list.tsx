import { Link } from 'react-router';
import type { AuditEntry, AuditPage } from '#src/features/audit/audit.contract.ts';
import { actorWords, actionWords, detailLines, objectWords } from '#src/features/audit/audit.rules.ts';
import { publicMoment } from '#src/shared/dates.ts';
import { ChevronDown } from '#src/ui/icon.tsx';
import type { ApiResult } from '#src/web/api-client.ts';
import { useMoreRows, type Place } from '#src/web/use-more-rows.ts';
import { ShowMore } from '#src/ui/paging.tsx';

type AuditEntryListProps = {
  /** Calls for the entries after a place. */
  load: (place: Place) => Promise<ApiResult<AuditPage>>;
  first: AuditPage;
  timeZone: string;
  /** For platform admins: the organization, the network address, and links that filter for the same. */
  office: boolean;
};

/** Audit entries, newest first; each expands to show what changed. */
export function AuditEntryList({ load, first, timeZone, office }: AuditEntryListProps) {
  const { rows: entries, more } = useMoreRows(first, 'entries', load);
  return (
    <div className="flex flex-col gap-5">
      <ol aria-label="Entries" className="rounded-lg border border-line bg-surface">
        {entries.map((entry) => (
          <li
            key={entry.id}
            className="border-line not-first:border-t first:[&_summary]:rounded-t-lg last:[&_details:not([open])>summary]:rounded-b-lg last:[&_details>div]:rounded-b-lg"
          >
            <Action entry={entry} at={publicMoment(new Date(entry.at), timeZone)} office={office} />
          </li>
        ))}
      </ol>
      <ShowMore {...more} />
    </div>
  );
}

function Action({ entry, at, office }: { entry: AuditEntry; at: string; office: boolean }) {
  return (
    <details className="group text-sm">
      <summary className="grid min-h-11 cursor-pointer list-none grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 px-4 py-2.5 hover:bg-sunken lg:grid-cols-[12.5rem_minmax(0,3fr)_minmax(0,2fr)_auto] [&::-webkit-details-marker]:hidden">
        <time
          dateTime={entry.at}
          className="text-quiet tabular-nums max-lg:col-start-1 max-lg:row-start-1 max-lg:text-xs"
        >
          {at}
        </time>
        <span className="min-w-0 break-words max-lg:col-start-1">
          <span className="font-semibold">{actionWords(entry.action)}</span>{' '}
          <span className="text-quiet">{objectWords(entry)}</span>
        </span>
        <span className="min-w-0 break-words text-quiet max-lg:col-start-1">
          {actorWords(entry)}
          {office && entry.organization_name !== null && ` · ${entry.organization_name}`}
        </span>
        <ChevronDown
          aria-hidden="true"
          className="size-5 text-quiet transition-transform group-open:rotate-180 max-lg:col-start-2 max-lg:row-span-3 max-lg:row-start-1"
        />
      </summary>
      <Details entry={entry} office={office} />
    </details>
  );
}

function Details({ entry, office }: { entry: AuditEntry; office: boolean }) {
  const lines = detailLines(entry.details);
  return (
    <div className="border-t border-line bg-sunken px-4 py-3 lg:pl-[14.5rem]">
      {lines.length === 0 && !office && <p className="text-quiet">No other details were recorded.</p>}
      <dl className="grid gap-x-6 gap-y-1.5 sm:grid-cols-[max-content_minmax(0,1fr)]">
        {[...lines, ...(office ? officeLines(entry) : [])].map(({ name, text }, index) => (
          <div key={`${name} ${index}`} className="contents">
            <dt className="text-quiet max-sm:mt-1">{name}</dt>
            <dd className="min-w-0 break-words">{text}</dd>
          </div>
        ))}
      </dl>
      {office && (
        <p className="mt-2 flex flex-wrap gap-x-5">
          <SameLink
            words="All entries about this"
            query={{ object_type: entry.object_type, object_id: entry.object_id }}
          />
          {entry.actor && <SameLink words="All by this person" query={{ person: String(entry.actor.id) }} />}
          {entry.organization_id !== null && (
            <SameLink words="All of this organization" query={{ organization: String(entry.organization_id) }} />
          )}
        </p>
      )}
    </div>
  );
}

const officeLines = ({ id, actor, organization_id: organizationId, ip, ...object }: AuditEntry) => [
  { name: 'Entry', text: String(id) },
  { name: 'Thing', text: `${object.object_type} ${object.object_id}` },
  ...(actor ? [{ name: 'Person', text: `${actor.name} (${actor.id})` }] : []),
  ...(organizationId === null ? [] : [{ name: 'Organization', text: String(organizationId) }]),
  ...(ip === null ? [] : [{ name: 'Address', text: ip }]),
];

function SameLink({ words, query }: { words: string; query: Record<string, string> }) {
  return (
    <Link
      to={`/admin/audit-log?${new URLSearchParams(query).toString()}`}
      className="inline-flex min-h-11 items-center underline decoration-line-strong underline-offset-4 hover:decoration-ink pointer-fine:min-h-8"
    >
      {words}
    </Link>
  );
}
