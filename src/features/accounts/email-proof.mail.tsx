/**
 * The email after a sign-up. It repeats nothing that was typed: someone who signed up with another person's address must not
 * be able to write to them through us.
 */
import { PROOF_DAYS } from '#src/features/accounts/email-proof.contract.ts';
import { MailButton, MailHeading, MailLink, MailParagraph, writeEmail } from '#src/platform/mail/mail-kit.tsx';
import type { Email } from '#src/platform/mail/mail.ts';

/** @param link opens the confirmation, for the account's own session only @param forgotLink takes the account over */
export function welcomeEmail(to: string, link: string, forgotLink: string, dedupeKey: string): Email {
  return writeEmail({
    to,
    dedupeKey,
    subject: 'Confirm your email address',
    preheader: 'One click, and your Sideline account is complete.',
    footer: 'Sent by Sideline, because an account was opened with this address.',
    body: (
      <>
        <MailHeading>Welcome to Sideline</MailHeading>
        <MailParagraph>
          An account was opened with {to}. Please confirm that the address is yours. You need to be logged in.
        </MailParagraph>
        <MailButton href={link}>Confirm my email address</MailButton>
        <MailParagraph>The link works for the next {PROOF_DAYS} days.</MailParagraph>
        <MailParagraph quiet>
          Didn’t sign up? Then someone else used your address. <MailLink href={forgotLink}>Choose a password</MailLink>{' '}
          and the account is yours alone, or ignore this email.
        </MailParagraph>
      </>
    ),
  });
}
