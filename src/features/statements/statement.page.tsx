/** `/:affiliate/statements/:month`: one month of an organization's account, to read, print and download. */
import { Link } from 'react-router';
import { addMonths, monthWords } from '#src/features/statements/statements.rules.ts';
import { isMonth, NO_STATEMENT } from '#src/features/statements/statements.contract.ts';
import { StatementLines } from '#src/features/statements/ui/statement-lines.tsx';
import { StatementSummary, GalleriesTable, SectionsTable } from '#src/features/statements/ui/statement-tables.tsx';
import { shownDay } from '#src/shared/day-range.ts';
import { notFound } from '#src/shared/problem.ts';
import { BackLink } from '#src/ui/back-link.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { ChevronLeft, ChevronRight, Download } from '#src/ui/icon.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { membersOnly } from '#src/web/guards.ts';
import { unlistedPage, WORKING_PAGE } from '#src/web/working-page.ts';
import type { Route } from './+types/statement.page.ts';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [membersOnly];

export async function loader({ context, params }: Route.LoaderArgs) {
  if (!isMonth(params.month)) throw notFound(NO_STATEMENT);
  const { app, caller } = context.get(requestContext);
  const { id } = context.get(affiliateContext);
  const [statement, lines] = await Promise.all([
    app.statements.statement(caller, id, params.month),
    app.statements.lines(caller, id, params.month),
  ]);
  return { statement, lines };
}

export function meta({ loaderData }: Route.MetaArgs) {
  const title = loaderData
    ? `Statement for ${monthWords(loaderData.statement.month)} · ${loaderData.statement.organization.name}`
    : 'Statement';
  return unlistedPage(title);
}

export default function StatementPage({ loaderData }: Route.ComponentProps) {
  const { statement, lines } = loaderData;
  const { organization, month, number, from, to, closed, galleries } = statement;
  const address = `/api/v1/affiliates/${organization.id}/statements/${month}`;
  return (
    <Main className="pb-12">
      <PageHeader
        title={`Statement for ${monthWords(month)}`}
        subtitle={
          <>
            <span className="font-semibold text-ink">{organization.name}</span>
            <span className="tabular-nums">
              {' '}
              · {shownDay(from)} to {shownDay(to)} · Number {number}
            </span>
            {!closed && <span> · In progress: more may follow.</span>}
          </>
        }
        back={
          <div className="print:hidden">
            <BackLink to={`/${organization.path}/statements`}>Statements</BackLink>
          </div>
        }
        action={<Downloads address={address} />}
      />
      <StatementSummary account={statement.account} />
      {organization.isParent && (
        <section aria-labelledby="sections">
          <h2 id="sections" className="pt-8 pb-3 text-lg">
            By organization
          </h2>
          <SectionsTable statement={statement} />
        </section>
      )}
      {galleries.length > 0 && (
        <section aria-labelledby="galleries">
          <h2 id="galleries" className="pt-8 pb-3 text-lg">
            By gallery
          </h2>
          <GalleriesTable statement={statement} />
        </section>
      )}
      <section aria-labelledby="lines">
        <h2 id="lines" className="pt-8 pb-3 text-lg">
          Line by line
        </h2>
        {lines.lines.length === 0 ? (
          <p className="text-quiet">No activity this month.</p>
        ) : (
          <StatementLines
            key={month}
            organizationId={organization.id}
            month={month}
            first={lines}
            timeZone={organization.timeZone}
            namesOrganization={organization.isParent}
          />
        )}
      </section>
      <Neighbors path={organization.path} month={month} earlier={statement.hasEarlier} later={closed} />
      <p className="pt-6 text-sm text-quiet">
        The balance is what Sideline owes you. Refunds and disputes count in the month in which they happen; in Reports
        they are taken from the day of the sale, and include the taxes that went back. Days are calendar days in the
        organization’s time zone. Taxes are held for the states and are never part of the balance.
      </p>
    </Main>
  );
}

/** Links to the months around this one. */
function Neighbors({ path, month, earlier, later }: { path: string; month: string; earlier: boolean; later: boolean }) {
  const [before, after] = [addMonths(month, -1), addMonths(month, 1)];
  return (
    <nav aria-label="Other months" className="flex flex-wrap gap-3 pt-8 print:hidden">
      {earlier && (
        <Link to={`/${path}/statements/${before}`} className={buttonStyle({ variant: 'quiet', size: 'small' })}>
          <ChevronLeft aria-hidden="true" />
          {monthWords(before)}
        </Link>
      )}
      {later && (
        <Link
          to={`/${path}/statements/${after}`}
          className={buttonStyle({ variant: 'quiet', size: 'small', className: 'ml-auto' })}
        >
          {monthWords(after)}
          <ChevronRight aria-hidden="true" />
        </Link>
      )}
    </nav>
  );
}

function Downloads({ address }: { address: string }) {
  return (
    <div className="flex flex-wrap gap-2 print:hidden">
      <a href={`${address}.pdf`} download className={buttonStyle({})}>
        <Download aria-hidden="true" />
        <span>
          <span className="sr-only">Download </span>PDF
        </span>
      </a>
      <a href={`${address}.csv`} download className={buttonStyle({ variant: 'secondary' })}>
        <Download aria-hidden="true" />
        <span>
          <span className="sr-only">Download </span>CSV
        </span>
      </a>
    </div>
  );
}
