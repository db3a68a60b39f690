/** Emails about the deletion of an account: that it was requested, also to platform admins, withdrawn, and that it is done. */
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

/** To the person whose account it is: someone with a stolen session may have withdrawn it. @param link of the account page */
export function deletionWithdrawnEmail(to: string, link: string, dedupeKey: string): Email {
  return writeEmail({
    to,
    dedupeKey,
    subject: 'We will not delete your account',
    preheader: 'Your request was withdrawn. Nothing was deleted.',
    footer: 'Sent by Sideline because this was requested in the account with this address.',
    heading: 'We will not delete your account',
    body: (
      <>
        <MailParagraph>Your request to delete your account was withdrawn. Nothing was deleted.</MailParagraph>
        <MailButton href={link}>Open your account</MailButton>
      </>
    ),
    smallPrint: 'Wasn’t you? Change your password on your account page, and ask again there.',
  });
}

/** To a platform admin. It names no one: the email would outlive the account. @param link of the list of requests */
export function deletionToDoEmail(to: string, link: string, dedupeKey: string): Email {
  return writeEmail({
    to,
    dedupeKey,
    subject: 'Someone asked for the deletion of their account',
    preheader: `It can be deleted after ${WAIT_DAYS} days.`,
    heading: 'Someone asked for the deletion of their account',
    body: (
      <MailParagraph>
        They may withdraw this for {WAIT_DAYS} days. After that, please delete the account: it must be done within{' '}
        {DONE_WITHIN_DAYS} days of the request.
      </MailParagraph>
    ),
    button: { label: 'See who asked', href: link },
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
