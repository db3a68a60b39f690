/** `/admin/erasures`: a platform admin erases a person's data, after a preview of what is erased and what stays. */
import { useState, type FormEvent } from 'react';
import { useStepUp } from '#src/features/accounts/step-up.client.ts';
import { ConfirmPassword } from '#src/features/accounts/ui/confirm-password.tsx';
import { ERASURES_TITLE, type ErasureAnswer } from '#src/features/erasures/erasures.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { ConfirmCall } from '#src/web/confirm-call.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { Main } from '#src/ui/main.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { api } from '#src/web/api-client.ts';
import { platformAdminsOnly } from '#src/web/guards.ts';
import { useForm } from '#src/web/use-form.ts';
import { unlistedPage, WORKING_PAGE } from '#src/web/working-page.ts';
import type { Route } from './+types/erasures.page.ts';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [platformAdminsOnly];

export const loader = () => null;

export const meta = () => unlistedPage(`${ERASURES_TITLE} · Sideline`);

const call = (email: string, isDry: boolean) => api('POST /api/v1/erasures', { body: { email, dry_run: isDry } });

export default function ErasuresPage() {
  const form = useForm({ email: '' });
  const [found, setFound] = useState<{ email: string; report: ErasureAnswer } | null>(null);

  async function preview(event: FormEvent): Promise<void> {
    event.preventDefault();
    setFound(null);
    const { email } = form.values;
    const answer = await form.send((values) => call(values.email, true));
    if (answer) setFound({ email: email.trim(), report: answer.data });
  }

  return (
    <Main className="pb-12">
      <PageHeader title={ERASURES_TITLE} subtitle="You see what is erased and what stays before anything is erased." />
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
        <Button type="submit" variant="secondary" className="self-start" busy={form.isSending && 'Searching…'}>
          Show what is kept
        </Button>
      </form>
      {found && <Report key={found.email} {...found} onErased={(report) => setFound({ ...found, report })} />}
    </Main>
  );
}

type ReportProps = { email: string; report: ErasureAnswer; onErased: (report: ErasureAnswer) => void };

function Report({ email, report, onErased }: ReportProps) {
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
          <h2 className="pb-3 text-lg">{isDone ? 'Erased' : 'Goes'}</h2>
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
          <h2 className="pb-3 text-lg">Stays</h2>
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
          busy="Erasing…"
          call={() => stepUp.send(() => call(email, false))}
          onDone={(erased) => {
            setAsking(false);
            onErased(erased);
          }}
          onCancel={() => setAsking(false)}
        >
          <p className="break-words">{email}</p>
          <p className="mt-1">This cannot be undone.</p>
        </ConfirmCall>
      )}
      <ConfirmPassword open={stepUp.needsPassword} onDone={stepUp.onDone} />
    </div>
  );
}
