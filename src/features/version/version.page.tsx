/** `/admin/version`: what runs here, the migrations of the database, and changes. */
import type { ReleaseNotes } from '#src/features/version/changelog.rules.ts';
import { VERSION_TITLE, type VersionAnswer } from '#src/features/version/version.contract.ts';
import { publicMoment } from '#src/shared/dates.ts';
import { Card } from '#src/ui/card.tsx';
import { Main } from '#src/ui/main.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { requestContext } from '#src/web/app-context.ts';
import { platformAdminsOnly } from '#src/web/guards.ts';
import { unlistedPage, WORKING_PAGE } from '#src/web/working-page.ts';
import type { Route } from './+types/version.page.ts';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [platformAdminsOnly];

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller } = context.get(requestContext);
  const [version, notes] = await Promise.all([app.version.describe(caller), app.version.whatIsNew(caller)]);
  return { version, notes };
}

export const meta = () => unlistedPage(`${VERSION_TITLE} · Sideline`);

export default function VersionPage({ loaderData: { version, notes } }: Route.ComponentProps) {
  const { current, expected } = version.schema;
  return (
    <Main className="pb-12">
      <PageHeader title={VERSION_TITLE} subtitle="What runs here. Only platform admins can see it." />
      {current !== expected && (
        <Notice tone="warning">
          The database has {current ?? 'no migration'}, and this process knows {expected}: another version is running,
          or was.
        </Notice>
      )}
      <Facts version={version} />
      {notes.map((release) => (
        <Notes key={release.name} release={release} />
      ))}
      <Updates updates={version.updates} />
    </Main>
  );
}

function Facts({ version }: { version: VersionAnswer }) {
  const { unreleased, commit, schema, postgres, node, started_at: startedAt } = version;
  const facts = [
    ['Release', unreleased ? `${version.version}, with changes that are not released yet` : version.version],
    ['Commit', commit ?? 'not known'],
    ['Schema', schema.current ?? 'none'],
    ['PostgreSQL', postgres],
    ['Node', node],
    ['Process started', publicMoment(new Date(startedAt))],
  ];
  return (
    <Card className="mt-2 px-4 py-4 sm:px-5">
      <dl className="grid gap-x-6 gap-y-2 sm:grid-cols-[max-content_1fr]">
        {facts.map(([name, value]) => (
          <div key={name} className="min-w-0 sm:contents">
            <dt className="text-sm text-quiet">{name}</dt>
            <dd className="wrap-anywhere tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function Notes({ release: { name, date, groups } }: { release: ReleaseNotes }) {
  return (
    <section className="pt-8">
      <h2 className="pb-2 text-lg">{date === null ? 'Not released yet' : `New in ${name}`}</h2>
      {date !== null && <p className="pb-2 text-sm text-quiet">{date}</p>}
      {groups.map(({ heading, points }) => (
        <div key={heading ?? ''} className="pb-3">
          {heading !== null && <h3 className="pb-1 font-semibold">{heading}</h3>}
          <ul className="flex list-disc flex-col gap-1 pl-5 wrap-anywhere">
            {points.map((point) => (
              <li key={point}>{point}</li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

function Updates({ updates }: { updates: VersionAnswer['updates'] }) {
  return (
    <section className="pt-8">
      <h2 className="pb-3 text-lg">Changes of the database</h2>
      <ul className="flex flex-col text-sm">
        {updates.map(({ name, applied_at: appliedAt }) => (
          <li
            key={name}
            className="flex flex-wrap justify-between gap-x-6 border-b border-line py-2 first:border-t tabular-nums"
          >
            <span className="break-all">{name}</span>
            <span className="text-quiet">{publicMoment(new Date(appliedAt))}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
