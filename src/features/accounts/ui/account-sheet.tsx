/** The layout of login and password pages: one narrow column in the middle. */
import type { ComponentProps, ReactNode } from 'react';
import { Card } from '#src/ui/card.tsx';
import { Main } from '#src/ui/main.tsx';
import { CircleAlert, CircleCheck } from '#src/ui/icon.tsx';
import { Link } from 'react-router';
import { cx } from '#src/ui/cx.ts';
import { TextField } from '#src/ui/form/text-field.tsx';
import { messagesOf, type ApiResult } from '#src/web/api-client.ts';

type AccountSheetProps = {
  title: string;
  intro?: ReactNode;
  children: ReactNode;
  /** Links to related pages. */
  footer?: ReactNode;
};

export function AccountSheet({ title, intro, children, footer }: AccountSheetProps) {
  return (
    <Main className="grid place-items-center py-10 sm:py-16">
      <div className="w-full max-w-md">
        <Card className="p-6 sm:p-8">
          <h1 className="text-xl">{title}</h1>
          {intro && <p className="mt-1 text-sm text-pretty text-quiet">{intro}</p>}
          <div className="mt-6">{children}</div>
        </Card>
        {footer && <div className="mt-5 flex flex-wrap justify-center gap-x-6 text-sm text-quiet">{footer}</div>}
      </div>
    </Main>
  );
}

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

/** A link next to a form, large enough for a thumb. */
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
export function EmailField(props: Omit<ComponentProps<typeof TextField>, 'label'>) {
  return <TextField label="Email" name="email" type="email" autoComplete="username" spellCheck={false} {...props} />;
}
