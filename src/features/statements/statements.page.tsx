/** `/:affiliate/statements`: the months of an organization's account, latest first. */
import { Link } from 'react-router';
import { YOU_GET } from '#src/features/reports/money-words.contract.ts';
import { monthWords } from '#src/features/statements/statements.rules.ts';
import { isMonth, STATEMENTS_TITLE } from '#src/features/statements/statements.contract.ts';
import { FiguresTable } from '#src/features/reports/ui/figures-table.tsx';
import { formatDollars } from '#src/shared/money.ts';
import { BackLink } from '#src/ui/back-link.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { ChartColumn } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { membersOnly } from '#src/web/guards.ts';
import { workingMeta, WORKING_PAGE } from '#src/web/working-page.ts';
import type { Route } from './+types/statements.page.ts';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [membersOnly];

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller, url } = context.get(requestContext);
  const { id, name, domainName: path } = context.get(affiliateContext);
  const before = url.searchParams.get('before') ?? '';
  const list = await app.statements.list(caller, id, isMonth(before) ? { after: before } : {});
  return { name, path, isLater: isMonth(before), ...list };
}

export const meta = workingMeta(STATEMENTS_TITLE);

export default function StatementsPage({ loaderData }: Route.ComponentProps) {
  const { name, path, months, next, isLater } = loaderData;
  return (
    <Main className="pb-12">
      <PageHeader title={STATEMENTS_TITLE} subtitle={name} back={<BackLink to={`/${path}/report`}>Reports</BackLink>} />
      {months.length === 0 ? (
        <EmptyState
          icon={<ChartColumn />}
          title={isLater ? 'No earlier statements' : 'No statements yet'}
          action={
            <LinkButton to={isLater ? `/${path}/statements` : `/${path}/dashboard`}>
              {isLater ? 'Latest statements' : 'Dashboard'}
            </LinkButton>
          }
        >
          {isLater ? 'The account starts with its first sale.' : 'Your first statement starts with your first sale.'}
        </EmptyState>
      ) : (
        <>
          <FiguresTable
            caption="Statements by month"
            head="Month"
            columns={['Opening balance', YOU_GET, 'Payouts', 'Closing balance']}
            rows={months.map((month) => ({
              key: month.month,
              name: (
                <>
                  <Link
                    to={`/${path}/statements/${month.month}`}
                    className="inline-flex min-h-11 items-center underline decoration-line-strong underline-offset-4 hover:decoration-ink lg:min-h-0"
                  >
                    {monthWords(month.month)}
                  </Link>
                  {!month.closed && (
                    <span className="text-xs font-normal whitespace-nowrap text-quiet lg:ml-2"> so far</span>
                  )}
                </>
              ),
              cells: [
                formatDollars(month.openingCents),
                formatDollars(month.earnedCents),
                formatDollars(month.paidOutCents),
                formatDollars(month.closingCents),
              ],
            }))}
          />
          <p className="pt-4 text-sm text-quiet">
            The balance is what Sideline owes you. “{YOU_GET}” is the total of sales and donations after card fees,
            Sideline’s share, refunds and disputes.
          </p>
          {next !== null && (
            <p className="pt-5 text-center">
              <LinkButton variant="secondary" to={`/${path}/statements?before=${next}`}>
                Earlier months
              </LinkButton>
            </p>
          )}
        </>
      )}
    </Main>
  );
}
