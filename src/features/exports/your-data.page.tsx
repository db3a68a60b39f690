/** `/:affiliate/your-data`: members export everything that is stored for their organization. */
import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { useStepUp } from '#src/features/accounts/step-up.client.ts';
import { ConfirmPassword } from '#src/features/accounts/ui/confirm-password.tsx';
import { KEEP_DAYS, YOUR_DATA_TITLE, type ExportAnswer } from '#src/features/exports/exports.contract.ts';
import { ExportList } from '#src/features/exports/ui/export-list.tsx';
import { BackLink } from '#src/ui/back-link.tsx';
import { Button } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Download } from '#src/ui/icon.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { showToast } from '#src/ui/toast.ts';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { api } from '#src/web/api-client.ts';
import { requestContext } from '#src/web/app-context.ts';
import { membersOnly } from '#src/web/guards.ts';
import { useRepeated } from '#src/web/use-load.ts';
import { workingMeta, WORKING_PAGE } from '#src/web/working-page.ts';
import type { Route } from './+types/your-data.page.ts';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [membersOnly];

const POLL_EVERY_MS = 3_000;

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller } = context.get(requestContext);
  const { id, name, domainName: path, timeZone, parentOrganizationId } = context.get(affiliateContext);
  const copies = await app.exports.list(caller, id);
  return { id, name, path, timeZone, isParent: parentOrganizationId === null, copies };
}

export const meta = workingMeta(YOUR_DATA_TITLE);

const isUnderWay = ({ state }: ExportAnswer) => state === 'waiting' || state === 'making';

export default function YourDataPage({ loaderData }: Route.ComponentProps) {
  const { id, name, path, timeZone, isParent, copies } = loaderData;
  const { revalidate } = useRevalidator();
  const [isSending, setSending] = useState(false);
  const stepUp = useStepUp();
  const isMaking = copies.some(isUnderWay);
  useRepeated(POLL_EVERY_MS, isMaking ? revalidate : null);

  async function requestCopy(): Promise<void> {
    setSending(true);
    const answer = await stepUp.send(() => api('POST /api/v1/affiliates/{id}/exports', { params: { id } }));
    setSending(false);
    if (answer && !answer.ok) showToast(answer.error, 'error');
    await revalidate();
  }

  return (
    <Main className="pb-12">
      <PageHeader
        title={YOUR_DATA_TITLE}
        subtitle={name}
        back={<BackLink to={`/${path}/settings`}>Settings</BackLink>}
      />
      <div className="flex max-w-[66ch] flex-col gap-3 pb-6 text-sm text-quiet">
        <p>
          A copy has your settings, people, galleries, photos as they were uploaded, orders, payouts and books: as CSV
          for spreadsheets and JSON for programs. You can keep it, or import it into another Sideline.
        </p>
        <p>
          It contains names and email addresses of your buyers, so keep it safe. Each copy can be downloaded for{' '}
          {KEEP_DAYS} days.
          {isParent && ' Your teams have a copy of their own, each on its own page.'}
        </p>
        <Button
          className="self-start"
          busy={isSending && 'Requesting...'}
          disabled={isMaking}
          onClick={() => void requestCopy()}
        >
          Make a copy
        </Button>
      </div>
      {copies.length === 0 ? (
        <EmptyState icon={<Download />} title="No copies yet">
          We send you an email when your copy is ready.
        </EmptyState>
      ) : (
        <ExportList copies={copies} timeZone={timeZone} />
      )}
      <ConfirmPassword open={stepUp.needsPassword} onDone={stepUp.onDone} />
    </Main>
  );
}
