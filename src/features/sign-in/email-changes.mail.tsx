/** Emails about a changed address: the link to the new one, and the notice to the old one. */
import { CHANGE_HOURS } from '#src/features/sign-in/email-changes.contract.ts';
import { MailButton, MailLink, MailParagraph, writeEmail } from '#src/platform/mail/mail-kit.tsx';
import { withoutLinks, type Email } from '#src/platform/mail/mail.ts';

/** It contains nothing that was typed but the address, so that no one can write to others with it. */
export function changeEmailEmail(to: string, link: string, dedupeKey: string): Email {
  return writeEmail({
    to,
    dedupeKey,
    subject: 'Confirm your new email address',
    preheader: `The link works for the next ${CHANGE_HOURS} hours.`,
    footer: 'Sent by Sideline because someone entered this address in the settings of an account.',
    heading: 'Your new email address',
    body: (
      <>
        <MailParagraph>
          Someone (we hope it was you) wants to log in with {to} from now on. Open the link in the browser where you are
          logged in.
        </MailParagraph>
        <MailButton href={link}>Use this address</MailButton>
        <MailParagraph>The link works for the next {CHANGE_HOURS} hours.</MailParagraph>
      </>
    ),
    smallPrint: 'Didn’t request this? You can ignore this email; nothing changes.',
  });
}

/** Notifies the old address of an account. */
export function emailChangedEmail(
  to: { firstName: string; email: string },
  contactLink: string,
  dedupeKey: string,
): Email {
  return writeEmail({
    to: to.email,
    dedupeKey,
    subject: 'Your email address was changed',
    preheader: 'You now log in with a different address.',
    footer: 'Sent by Sideline to the previous address of the account.',
    heading: 'Your email address was changed',
    body: (
      <MailParagraph>
        Hello {withoutLinks(to.firstName)}, the email address of your account was changed. You can no longer log in with{' '}
        {to.email}. Every other device was logged out.
      </MailParagraph>
    ),
    smallPrint: (
      <>
        Wasn’t you? <MailLink href={contactLink}>Write to us</MailLink> right away.
      </>
    ),
  });
}
