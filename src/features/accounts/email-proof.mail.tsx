/**
 * The email after a sign-up. It contains nothing that was typed: signing up with another person's address must not be a way to
 * write to them.
 */
import { PROOF_DAYS } from '#src/features/accounts/email-proof.contract.ts';
import { MailButton, MailLink, MailParagraph, writeEmail } from '#src/platform/mail/mail-kit.tsx';
import type { Email } from '#src/platform/mail/mail.ts';

/**
 * @param link confirms the address, only in the account's own session
 * @param forgotLink lets the address's owner take over the account
 */
export function welcomeEmail(to: string, link: string, forgotLink: string, dedupeKey: string): Email {
  return writeEmail({
    to,
    dedupeKey,
    subject: 'Confirm your email address',
    preheader: 'One click, and your Sideline account is complete.',
    footer: 'Sent by Sideline because an account was created with this address.',
    heading: 'Welcome to Sideline',
    body: (
      <>
        <MailParagraph>
          An account was created with {to}. Please confirm that this is your address. You need to be logged in.
        </MailParagraph>
        <MailButton href={link}>Confirm my email address</MailButton>
        <MailParagraph>The link works for the next {PROOF_DAYS} days.</MailParagraph>
      </>
    ),
    smallPrint: (
      <>
        Didn’t sign up? Someone else used your address. <MailLink href={forgotLink}>Choose a password</MailLink> to take
        over the account, or ignore this email.
      </>
    ),
  });
}
