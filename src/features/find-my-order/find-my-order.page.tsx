/** `/find-my-order`: emails buyers the links to what they bought. */
import { useState, type FormEvent } from 'react';
import { Link } from 'react-router';
import { FOUND_MONTHS, ORDERS_MAIL_SENT } from '#src/features/find-my-order/find-orders.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { Main } from '#src/ui/main.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { api, messagesOf } from '#src/web/api-client.ts';
import { requestContext } from '#src/web/app-context.ts';
import type { Route } from './+types/find-my-order.page.ts';

export function loader({ context }: Route.LoaderArgs) {
  const { form, url } = context.get(requestContext);
  return {
    email: form?.values['email'] ?? '',
    problems: form ? [...Object.values(form.errors).flat(), ...form.messages] : [],
    wasSent: form === null && url.searchParams.get('sent') === 'yes',
  };
}

/** Nothing here changes once it is shown. */
export const shouldRevalidate = () => false;

export function meta() {
  return [
    { title: 'Find my order' },
    { name: 'description', content: 'Lost your receipt? We’ll email you links to the photos you bought.' },
  ];
}

export default function FindMyOrderPage({ loaderData }: Route.ComponentProps) {
  const [message, setMessage] = useState<string | null>(loaderData.wasSent ? ORDERS_MAIL_SENT : null);
  const [problems, setProblems] = useState<readonly string[]>(loaderData.problems);
  const [isSending, setIsSending] = useState(false);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isSending) return;
    const field = event.currentTarget.elements.namedItem('email');
    const email = String(new FormData(event.currentTarget).get('email') ?? '');
    setIsSending(true);
    setMessage(null);
    setProblems([]);
    const answer = await api('POST /api/v1/orders/find', { body: { email } });
    setIsSending(false);
    if (answer.ok) return setMessage(answer.data.message);
    setProblems(messagesOf(answer));
    // Read out with the field that it describes.
    if (field instanceof HTMLElement) field.focus();
  }

  return (
    <Main className="grid place-items-center py-10 sm:py-16">
      <div className="w-full max-w-md">
        <Card className="p-6 sm:p-8">
          <h1 className="text-xl">Find my order</h1>
          <p className="mt-1 text-sm text-pretty text-quiet">
            Enter the email address you ordered with. We’ll email you links to your receipts and downloads from the last{' '}
            {FOUND_MONTHS} months.
          </p>
          <form noValidate method="post" onSubmit={(event) => void submit(event)} className="mt-6 flex flex-col gap-5">
            <div role="status" className="empty:sr-only">
              {message !== null && <Notice tone="success">{message}</Notice>}
            </div>
            <TextField
              label="Email"
              name="email"
              defaultValue={loaderData.email}
              type="email"
              autoComplete="email"
              spellCheck={false}
              errors={problems.length > 0 ? [...problems] : []}
            />
            <Button type="submit" size="large" busy={isSending && 'Sending...'}>
              Send me my orders
            </Button>
          </form>
        </Card>
        <p className="mt-5 text-center text-sm text-quiet">
          Still missing something?{' '}
          <Link
            to="/support"
            className="inline-flex min-h-11 items-center font-semibold text-ink underline decoration-line-strong underline-offset-4"
          >
            Support
          </Link>
        </p>
      </div>
    </Main>
  );
}
