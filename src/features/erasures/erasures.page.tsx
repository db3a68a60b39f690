/** `/admin/erasures`: a platform admin erases a person's data, after a preview of what is erased and kept, and sees who asked for it. */
import { useState, type FormEvent } from 'react';
import { useRevalidator } from 'react-router';
import { useStepUp } from '#src/features/accounts/step-up.client.ts';
import { ConfirmPassword } from '#src/features/accounts/ui/confirm-password.tsx';
import { ERASURES_TITLE, type ErasureAnswer } from '#src/features/erasures/erasures.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { ConfirmCall } from '#src/web/confirm-call.tsx';
import { DateText } from '#src/ui/date-text.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { Main } from '#src/ui/main.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { api } from '#src/web/api-client.ts';
import { requestContext } from '#src/web/app-context.ts';
import { platformAdminsOnly } from '#src/web/guards.ts';
import { useForm } from '#src/web/use-form.ts';
import { unlistedPage, WORKING_PAGE } from '#src/web/working-page.ts';
import type { Route } from './+types/erasures.page.ts';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [platformAdminsOnly];

/** People who asked that their account be deleted. */
export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller } = context.get(requestContext);
  return { requests: await app.deletionRequests.listOpen(caller) };
}

export const meta = () => unlistedPage(`${ERASURES_TITLE} · Sideline`);

type Wanted = { email: string; requested: boolean };

const call = (wanted: Wanted, isDry: boolean) => api('POST /api/v1/erasures', { body: { ...wanted, dry_run: isDry } });

export default function ErasuresPage({ loaderData: { requests } }: Route.ComponentProps) {
  const form = useForm({ email: '' });
  const [found, setFound] = useState<{ wanted: Wanted; report: ErasureAnswer } | null>(null);

  const { revalidate } = useRevalidator();

  async function preview(event: FormEvent | null, { email } = form.values): Promise<void> {
    event?.preventDefault();
    // One at a time: the address in the form is the one of the report.
    if (form.isSending) return;
    setFound(null);
    form.set({ email });
    // The person who was chosen in the list may withdraw their request meanwhile.
    const wanted = { email: email.trim(), requested: event === null };
    const answer = await form.send(() => call(wanted, true), { email });
    if (answer) setFound({ wanted, report: answer.data });
  }

  return (
    <Main className="pb-12">
      <PageHeader
        title={ERASURES_TITLE}
        subtitle="You see what is erased and what is kept before anything is erased."
      />
      {requests.length > 0 && <Requests requests={requests} onChoose={(email) => void preview(null, { email })} />}
      <form
        method="dialog"
        noValidate
        className="flex max-w-xl flex-col gap-4 pb-6"
        onSubmit={(event) => void preview(event)}
      >
        <TextField
          type="email"
          spellCheck={false}
          label="Email address"
          autoComplete="off"
          required
          {...form.field('email')}
        />
        <p role="alert" className="text-sm font-semibold text-danger empty:hidden">
          {form.errors['form']?.join(' ')}
        </p>
        <Button type="submit" variant="secondary" className="self-start" busy={form.isSending && 'Searching...'}>
          Show what is kept
        </Button>
      </form>
      {found && (
        <Report
          key={found.wanted.email}
          {...found}
          onErased={(report) => {
            setFound({ ...found, report });
            void revalidate();
          }}
        />
      )}
    </Main>
  );
}

type RequestsProps = { requests: Route.ComponentProps['loaderData']['requests']; onChoose: (email: string) => void };

/** They wait some days before they can be chosen: until then the person may change their mind. */
function Requests({ requests, onChoose }: RequestsProps) {
  return (
    <Card className="mb-6 p-4 sm:p-5">
      <h2 className="pb-3 text-lg">People who asked for it</h2>
      <ul className="flex flex-col gap-4 text-sm">
        {requests.map(({ email, name, askedAt, dueAt, isDue, administers }) => (
          <li key={email} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
            <span className="min-w-0 break-words">
              <span className="font-semibold">{name}</span>, {email}
              <span className="block text-quiet">
                Asked on <DateText at={askedAt} />
                {administers.length > 0 && `. Administers ${administers.join(', ')}`}
              </span>
            </span>
            {isDue ? (
              <Button variant="secondary" size="small" aria-label={`Erase ${email}`} onClick={() => onChoose(email)}>
                Erase…
              </Button>
            ) : (
              <span className="text-quiet">
                May withdraw until <DateText at={dueAt} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

type ReportProps = { wanted: Wanted; report: ErasureAnswer; onErased: (report: ErasureAnswer) => void };

function Report({ wanted, report, onErased }: ReportProps) {
  const [isAsking, setAsking] = useState(false);
  const stepUp = useStepUp();
  const isDone = !report.dry_run;

  return (
    <div className="flex flex-col gap-6">
      {isDone && (
        <Notice tone="success">The person is erased. This report does not name them, so keep it as your record.</Notice>
      )}
      {[...report.notes, ...report.blocked].map((sentence) => (
        <Notice key={sentence} tone="warning">
          {sentence}
        </Notice>
      ))}
      <div className="grid gap-6 lg:grid-cols-2 lg:items-start">
        <Card className="p-4 sm:p-5">
          <h2 className="pb-3 text-lg">{isDone ? 'Erased' : 'Will be erased'}</h2>
          {!isDone && <p className="-mt-3 pb-3 text-sm break-words text-quiet">{wanted.email}</p>}
          <ul className="flex flex-col gap-2 text-sm">
            {report.goes.map(({ what, rows }) => (
              <li key={what} className="flex justify-between gap-4">
                <span className="min-w-0 break-words">{what}</span>
                <span className="tabular-nums">{rows}</span>
              </li>
            ))}
          </ul>
        </Card>
        <Card className="p-4 sm:p-5">
          <h2 className="pb-3 text-lg">Kept</h2>
          <ul className="flex flex-col gap-3 text-sm">
            {report.stays.map(({ what, rows, why }) => (
              <li key={what}>
                <span className="flex justify-between gap-4">
                  <span className="min-w-0 break-words">{what}</span>
                  {rows !== null && <span className="tabular-nums">{rows}</span>}
                </span>
                <span className="block text-quiet">{why}</span>
              </li>
            ))}
          </ul>
        </Card>
      </div>
      {!isDone && (
        <Button
          variant="danger"
          className="self-start"
          disabled={report.blocked.length > 0}
          onClick={() => setAsking(true)}
        >
          Erase this person…
        </Button>
      )}
      {isAsking && (
        <ConfirmCall
          open={!stepUp.needsPassword}
          title="Erase this person?"
          confirmLabel="Erase"
          busy="Erasing..."
          call={() => stepUp.send(() => call(wanted, false))}
          onDone={(erased) => {
            setAsking(false);
            onErased(erased);
          }}
          onCancel={() => setAsking(false)}
        >
          <p className="break-words">{wanted.email}</p>
          <p className="mt-1">This cannot be undone.</p>
        </ConfirmCall>
      )}
      <ConfirmPassword open={stepUp.needsPassword} onDone={stepUp.onDone} />
    </div>
  );
}
