import { useState, type FormEvent } from 'react';
import {
  CONFIRM_EMAIL,
  EMAILS_WAIT,
  linkSentTo,
  SEND_LINK_AGAIN,
} from '#src/features/accounts/email-proof.contract.ts';
import { api } from '#src/web/api-client.ts';

/**
 * Shown above the working pages until the user's address is confirmed (rule 53). Without JavaScript its button leads to a page.
 */
export function ProofBar({ email }: { email: string }) {
  const [message, setMessage] = useState<string | null>(null);
  const [isSending, setSending] = useState(false);

  async function sendAgain(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isSending) return;
    setSending(true);
    const answer = await api('POST /api/v1/confirm-email/link', {});
    setSending(false);
    setMessage(answer.ok ? linkSentTo(answer.data.email) : answer.error);
  }

  return (
    <aside
      aria-label={CONFIRM_EMAIL}
      className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 border-b border-line bg-warning-tint px-5 py-1.5 text-sm max-sm:block max-sm:py-2.5 print:hidden"
    >
      <p className="min-w-0 wrap-anywhere max-sm:inline max-sm:text-wrap sm:text-pretty sm:py-1" role="status">
        {message ?? (
          <>
            <strong className="font-semibold">{CONFIRM_EMAIL}:</strong> click the link that we emailed to {email}.{' '}
            {EMAILS_WAIT}
          </>
        )}
      </p>{' '}
      {/* After a space: on a phone the text goes on with it. */}
      {message === null && (
        <form
          method="post"
          action="/confirm-email"
          onSubmit={(event) => void sendAgain(event)}
          className="max-sm:inline"
        >
          <input type="hidden" name="again" value="yes" />
          <button
            type="submit"
            disabled={isSending}
            className="relative min-h-11 cursor-pointer font-semibold whitespace-nowrap underline underline-offset-4 after:absolute after:-inset-x-2 after:-inset-y-3 disabled:opacity-60 max-sm:min-h-0 pointer-fine:min-h-9"
          >
            {isSending ? 'Sending...' : SEND_LINK_AGAIN}
          </button>
        </form>
      )}
    </aside>
  );
}
