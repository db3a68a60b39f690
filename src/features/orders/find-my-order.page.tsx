/** `/find-my-order`: mails a buyer the links to what they bought. */
import { useState, type FormEvent } from 'react';
import { Link } from 'react-router';
import { FOUND_MONTHS, type MailAnswer } from '#src/features/orders/find-orders.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { ErrorList } from '#src/ui/error-list.tsx';
import { Main } from '#src/ui/main.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { callApi, messagesOf } from '#src/web/api-client.ts';

export function meta() {
  return [
    { title: 'Find my order' },
    { name: 'description', content: 'Lost your receipt? We mail you the links to the photos that you bought.' },
  ];
}

export default function FindMyOrderPage() {
  const [said, setSaid] = useState<string | null>(null);
  const [problems, setProblems] = useState<readonly string[]>([]);
  const [attempt, setAttempt] = useState(0);
  const [isSending, setIsSending] = useState(false);

  async function ask(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (isSending) return;
    const email = String(new FormData(event.currentTarget).get('email') ?? '');
    setAttempt((count) => count + 1);
    setIsSending(true);
    setSaid(null);
    setProblems([]);
    const answer = await callApi<MailAnswer>('POST', '/api/v1/orders/find', { body: { email } });
    setIsSending(false);
    if (answer.ok) setSaid(answer.data.message);
    else setProblems(messagesOf(answer));
  }

  return (
    <Main className="grid place-items-center py-10 sm:py-16">
      <div className="w-full max-w-md">
        <Card className="p-6 sm:p-8">
          <h1 className="text-xl">Find my order</h1>
          <p className="mt-1 text-sm text-pretty text-quiet">
            Tell us the email address that you ordered with. We send the links to your receipts and downloads of the
            last {FOUND_MONTHS} months there.
          </p>
          <form noValidate method="post" onSubmit={(event) => void ask(event)} className="mt-6 flex flex-col gap-5">
            <ErrorList messages={problems} attempt={attempt} />
            <div role="status" className="empty:sr-only">
              {said !== null && <Notice tone="success">{said}</Notice>}
            </div>
            <TextField
              label="Email"
              name="email"
              type="email"
              autoComplete="email"
              inputMode="email"
              autoCapitalize="none"
              spellCheck={false}
              errors={problems.length > 0 ? [...problems] : []}
            />
            <Button type="submit" size="large" busy={isSending && 'Sending...'}>
              Send me my orders
            </Button>
            <noscript>
              <p className="text-sm text-quiet">
                Sending this form needs JavaScript. Your receipt’s mail has the same links.
              </p>
            </noscript>
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
