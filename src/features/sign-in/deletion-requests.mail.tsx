/** Emails about the deletion of an account: that it was requested, and that it is done. */
import { DONE_WITHIN_DAYS, WAIT_DAYS, WHAT_IS_ERASED } from '#src/features/sign-in/deletion-requests.contract.ts';
import { MailButton, MailParagraph, writeEmail } from '#src/platform/mail/mail-kit.tsx';
import type { Email } from '#src/platform/mail/mail.ts';

/** @param link of the page on which the request is withdrawn */
export function deletionRequestedEmail(to: string, link: string, dedupeKey: string): Email {
  return writeEmail({
    to,
    dedupeKey,
    subject: 'You asked us to delete your account',
    preheader: `You can withdraw this for the next ${WAIT_DAYS} days.`,
    footer: 'Sent by Sideline because someone asked for this in the account with this address.',
    heading: 'You asked us to delete your account',
    body: (
      <>
        <MailParagraph>
          We wait {WAIT_DAYS} days, and delete the account within {DONE_WITHIN_DAYS} days. {WHAT_IS_ERASED}
        </MailParagraph>
        <MailParagraph>To keep your account, withdraw the request on your account page.</MailParagraph>
        <MailButton href={link}>Open your account</MailButton>
      </>
    ),
    smallPrint: 'Wasn’t you? Withdraw the request on your account page, and change your password there.',
  });
}

/** It names no one: the person is erased when it is sent. */
export function accountDeletedEmail(to: string, dedupeKey: string): Email {
  return writeEmail({
    to,
    dedupeKey,
    subject: 'Your account was deleted',
    preheader: 'This is our last email to this address.',
    footer: 'Sent by Sideline because this was requested in the account with this address.',
    heading: 'Your account was deleted',
    body: (
      <MailParagraph>
        As you asked, your account is deleted, with your name and email address. Orders, payments and statements are
        kept without your name. This is our last email to this address.
      </MailParagraph>
    ),
  });
}
