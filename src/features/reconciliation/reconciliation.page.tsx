/** `/admin/reconciliation`: our ledger next to the card provider's, and the differences (money M13). */
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import {
  RECONCILIATION_TITLE,
  type DifferenceState,
  type RunAnswer,
} from '#src/features/reconciliation/reconciliation.contract.ts';
import { DifferenceCard } from '#src/features/reconciliation/ui/difference-card.tsx';
import { Books } from '#src/features/reconciliation/ui/books.tsx';
import { LastRun, RunList } from '#src/features/reconciliation/ui/last-run.tsx';
import { counted } from '#src/shared/counted.ts';
import { monthBefore } from '#src/features/reconciliation/books.rules.ts';
import { machineDay } from '#src/shared/dates.ts';
import { readId } from '#src/shared/read-id.ts';
import { Button } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { CircleCheck, Scale } from '#src/ui/icon.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { TabLinks, OlderLinks } from '#src/ui/paging.tsx';
import { showToast } from '#src/ui/toast.ts';
import { api } from '#src/web/api-client.ts';
import { requestContext } from '#src/web/app-context.ts';
import { platformAdminsOnly } from '#src/web/guards.ts';
import { useRepeated } from '#src/web/use-load.ts';
import { unlistedPage, WORKING_PAGE } from '#src/web/working-page.ts';
import type { Route } from './+types/reconciliation.page.ts';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [platformAdminsOnly];

const PATH = '/admin/reconciliation';
const POLL_EVERY_MS = 1_500;

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller, url } = context.get(requestContext);
  const wanted = url.searchParams.get('state');
  const state: DifferenceState = wanted === 'explained' || wanted === 'closed' ? wanted : 'open';
  const after = readId(url.searchParams.get('after') ?? '');
  const lastMonth = monthBefore(machineDay(new Date()));
  return { state, after, lastMonth, overview: await app.reconciliation.overview(caller, state, after) };
}

export const meta = () => unlistedPage(`${RECONCILIATION_TITLE} · Sideline`);

const isUnderWay = (run: RunAnswer | undefined) => run?.state === 'waiting' || run?.state === 'running';

export default function ReconciliationPage({ loaderData }: Route.ComponentProps) {
  const { state, after, overview, lastMonth } = loaderData;
  const { revalidate } = useRevalidator();
  const [isStarting, setStarting] = useState(false);
  const [last, ...earlier] = overview.runs;
  const isRunning = isUnderWay(last);
  useRepeated(POLL_EVERY_MS, isRunning ? revalidate : null);

  async function runNow(): Promise<void> {
    setStarting(true);
    const answer = await api('POST /api/v1/reconciliation/runs', {});
    setStarting(false);
    if (!answer.ok) showToast(answer.error, 'error');
    await revalidate();
  }

  return (
    <Main className="pb-12">
      <PageHeader
        title={RECONCILIATION_TITLE}
        subtitle="Each night we compare our books of the last 35 days with the card provider’s."
        action={
          <Button busy={(isStarting || isRunning) && 'Comparing...'} onClick={() => void runNow()}>
            Run now
          </Button>
        }
      />
      <div className="pt-6">
        {last ? (
          <LastRun run={last} />
        ) : (
          <EmptyState icon={<Scale />} title="No comparison has run yet">
            The first comparison runs automatically tonight.
          </EmptyState>
        )}
      </div>
      <section className="pt-8">
        <h2 className="pb-3 text-lg">Differences</h2>
        <TabLinks
          label="Differences"
          tabs={[
            {
              label: 'Open',
              to: PATH,
              current: state === 'open',
              ...(overview.open > 0 ? { count: overview.open } : {}),
            },
            { label: 'Explained', to: `${PATH}?state=explained`, current: state === 'explained' },
            { label: 'Closed', to: `${PATH}?state=closed`, current: state === 'closed' },
          ]}
        />
        <p role="status" className="sr-only">
          {isRunning ? 'The books are being compared.' : counted(overview.open, 'open difference', 'open differences')}
        </p>
        <div className="pt-5">
          {overview.differences.length === 0 ? (
            <Nothing state={state} hasRun={last?.state === 'done'} />
          ) : (
            <ul className="flex flex-col gap-4">
              {overview.differences.map((difference) => (
                <li key={difference.id}>
                  <DifferenceCard difference={difference} onChanged={() => void revalidate()} />
                </li>
              ))}
            </ul>
          )}
        </div>
        <OlderLinks
          label="Pages of differences"
          kept={state === 'open' ? '' : `state=${state}&`}
          after={after}
          next={overview.next}
        />
      </section>
      <Books days={lastMonth} />
      <RunList runs={earlier} />
    </Main>
  );
}

function Nothing({ state, hasRun }: { state: DifferenceState; hasRun: boolean }) {
  if (state === 'explained') return <p className="text-quiet">No differences have been explained yet.</p>;
  if (state === 'closed') return <p className="text-quiet">No differences have been resolved yet.</p>;
  if (!hasRun) return <p className="text-quiet">No differences.</p>;
  return (
    <EmptyState icon={<CircleCheck />} title="The books agree" level={3}>
      Every payment, refund, fee and transfer is in both books, to the cent.
    </EmptyState>
  );
}
