/** `/admin/health`: what runs, what waits and what failed, for platform admins. */
import { useEffect, useEffectEvent } from 'react';
import { useRevalidator } from 'react-router';
import { HEALTH_TITLE } from '#src/features/health/health.contract.ts';
import { FAILED_EMAILS, FAILED_JOBS } from '#src/features/health/health.rules.ts';
import { FailedEmailList } from '#src/features/health/ui/failed-emails.tsx';
import { FailedJobList } from '#src/features/health/ui/failed-jobs.tsx';
import { Overview } from '#src/features/health/ui/overview.tsx';
import { publicMoment } from '#src/shared/dates.ts';
import { readId } from '#src/shared/read-id.ts';
import { Button } from '#src/ui/button.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { TabLinks } from '#src/ui/paging.tsx';
import { requestContext } from '#src/web/app-context.ts';
import { platformAdminsOnly } from '#src/web/guards.ts';
import { unlistedPage, WORKING_PAGE } from '#src/web/working-page.ts';
import type { Route } from './+types/health.page.ts';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [platformAdminsOnly];

const PATH = '/admin/health';
/** Heartbeats arrive once a minute; queues change faster, and people can press Refresh. */
const POLL_EVERY_MS = 30_000;

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller, url } = context.get(requestContext);
  const view = url.searchParams.get('view');
  const after = url.searchParams.get('after');
  const at = new Date();
  if (view === 'jobs') {
    const job = url.searchParams.get('job');
    return { view, at, job, after, failed: await app.health.failedJobs(caller, { job, after }) } as const;
  }
  if (view === 'emails') {
    const before = readId(after ?? '');
    return { view, at, after: before, failed: await app.health.failedEmails(caller, { after: before }) } as const;
  }
  return { view: 'overview', at, overview: await app.health.overview(caller) } as const;
}

export const meta = () => unlistedPage(`${HEALTH_TITLE} · Sideline`);

export default function HealthPage({ loaderData }: Route.ComponentProps) {
  const { revalidate, state } = useRevalidator();
  const { view } = loaderData;
  const counts = loaderData.view === 'overview' ? loaderData.overview.counts : loaderData.failed.counts;
  useReloading(() => void revalidate());
  const tab = (label: string, to: string, current: boolean, count = 0) => ({
    label,
    to,
    current,
    ...(count > 0 ? { count } : {}),
  });
  return (
    <Main className="pb-12">
      <PageHeader
        title={HEALTH_TITLE}
        subtitle={`As of ${publicMoment(loaderData.at)}. This page refreshes automatically.`}
        action={
          <Button variant="secondary" disabled={state === 'loading'} onClick={() => void revalidate()}>
            Refresh
          </Button>
        }
      />
      <TabLinks
        label="Health"
        tabs={[
          tab('Overview', PATH, view === 'overview'),
          tab('Failed jobs', FAILED_JOBS, view === 'jobs', counts.jobs),
          tab('Failed emails', FAILED_EMAILS, view === 'emails', counts.emails),
        ]}
      />
      <div className="pt-6">
        {loaderData.view === 'overview' && <Overview overview={loaderData.overview} />}
        {loaderData.view === 'jobs' && (
          <FailedJobList
            failed={loaderData.failed}
            job={loaderData.job}
            after={loaderData.after}
            onDone={() => void revalidate()}
          />
        )}
        {loaderData.view === 'emails' && (
          <FailedEmailList failed={loaderData.failed} after={loaderData.after} onDone={() => void revalidate()} />
        )}
      </div>
    </Main>
  );
}

/** Reloads while the page is visible, and immediately when it becomes visible again. */
function useReloading(reload: () => void): void {
  const reloadNow = useEffectEvent(reload);
  useEffect(() => {
    let loadedAt = performance.now();
    const reloadIfDue = () => {
      if (document.visibilityState !== 'visible' || performance.now() - loadedAt < POLL_EVERY_MS - 500) return;
      loadedAt = performance.now();
      reloadNow();
    };
    const timer = setInterval(reloadIfDue, POLL_EVERY_MS);
    document.addEventListener('visibilitychange', reloadIfDue);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', reloadIfDue);
    };
  }, []);
}
