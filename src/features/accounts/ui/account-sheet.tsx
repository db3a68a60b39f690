/** Parts of the pages for login and passwords. */
import type { ComponentProps } from 'react';
import { CircleAlert, CircleCheck } from '#src/ui/icon.tsx';
import { Link } from 'react-router';
import { cx } from '#src/ui/cx.ts';
import { EmailField } from '#src/ui/form/email-field.tsx';
import { messagesOf, type ApiResult } from '#src/web/api-client.ts';

export type Outcome = { tone: 'success' | 'error'; messages: readonly string[] };

export function FormStatus({ outcome }: { outcome: Outcome | null }) {
  return (
    <>
      {outcome?.tone === 'success' && (
        <p
          role="status"
          className="flex gap-3 rounded border border-success bg-success-tint p-4 text-sm font-semibold text-success"
        >
          <CircleCheck aria-hidden="true" className="mt-px size-5 shrink-0" />
          <span>{outcome.messages.join(' ')}</span>
        </p>
      )}
      {outcome?.tone === 'error' && (
        <div
          role="alert"
          className="flex gap-3 rounded border border-danger bg-danger-tint p-4 text-sm font-semibold text-danger"
        >
          <CircleAlert aria-hidden="true" className="mt-px size-5 shrink-0" />
          <ul className="flex min-w-0 flex-col gap-1">
            {outcome.messages.map((message) => (
              <li key={message}>{message}</li>
            ))}
          </ul>
        </div>
      )}
    </>
  );
}

/** A link beside a form, large enough for a thumb. */
export function QuietLink({ className, ...link }: ComponentProps<typeof Link>) {
  return (
    <Link
      {...link}
      className={cx(
        'inline-flex min-h-11 items-center font-semibold text-ink underline decoration-line-strong underline-offset-4 hover:decoration-ink',
        className,
      )}
    />
  );
}

/** The result of a call: the success message, or the problem. */
export function outcomeOf(answer: ApiResult<unknown>, done: string): Outcome {
  return answer.ok ? { tone: 'success', messages: [done] } : { tone: 'error', messages: messagesOf(answer) };
}

/** The email address of an account. */
export function AccountEmail(props: Omit<ComponentProps<typeof EmailField>, 'label'>) {
  return <EmailField label="Email" name="email" autoComplete="username" {...props} />;
}
