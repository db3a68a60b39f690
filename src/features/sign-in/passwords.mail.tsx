/** Emails about passwords: the reset link, and the notice of a change. */
import { INVITATION_DAYS, RESET_MINUTES } from '#src/features/sign-in/passwords.contract.ts';
import { MailButton, MailLink, MailParagraph, writeEmail } from '#src/platform/mail/mail-kit.tsx';
import { withoutLinks, type Email } from '#src/platform/mail/mail.ts';

/** No name if someone else may have signed up with the address. */
type Recipient = { firstName: string | null; email: string };

const TO_OWNER = 'Sent by Sideline to the owner of the account.';
const hello = ({ firstName }: Recipient) => (firstName === null ? 'Hello' : `Hello ${withoutLinks(firstName)}`);

/** `link` is built from configuration; `dedupeKey` identifies the link without revealing it. */
export function resetEmail(to: Recipient, link: string, dedupeKey: string): Email {
  const works = `The link works once, for the next ${RESET_MINUTES} minutes.`;
  return writeEmail({
    to: to.email,
    dedupeKey,
    subject: 'Choose a new password',
    preheader: works,
    footer: 'Sent by Sideline because someone requested it on the login page.',
    heading: 'A new password',
    body: (
      <>
        <MailParagraph>
          {hello(to)}, someone (we hope it was you) asked for a new password for {to.email}.
        </MailParagraph>
        <MailButton href={link}>Choose a new password</MailButton>
        <MailParagraph>{works}</MailParagraph>
      </>
    ),
    smallPrint: 'Didn’t request this? You can ignore this email; your password won’t change.',
  });
}

/** The first email to a person whose account someone else opened (rule 37). `link` lets them choose a password. */
export function invitationEmail(to: Recipient, organizationName: string, link: string, dedupeKey: string): Email {
  return writeEmail({
    to: to.email,
    dedupeKey,
    subject: 'Your Sideline account is ready',
    preheader: 'Choose a password, and your first gallery is a few minutes away.',
    footer: 'Sent by Sideline because an account was created with this address.',
    heading: 'Welcome to the team',
    body: (
      <>
        <MailParagraph>
          {hello(to)}, an account was created for you so that {withoutLinks(organizationName)} can show and sell its
          photos. Choose a password, and it is yours.
        </MailParagraph>
        <MailButton href={link}>Choose a password</MailButton>
        <MailParagraph>
          The link works once, for the next {INVITATION_DAYS} days. Log in with {to.email}.
        </MailParagraph>
      </>
    ),
    smallPrint: 'Didn’t expect this? You can ignore this email.',
  });
}

/** Notifies the owner of an account that its password has changed. */
export function passwordChangedEmail(
  to: Recipient,
  forgotLink: string,
  dedupeKey: string,
  loggedOut: 'all' | 'others' = 'all',
): Email {
  const devices = loggedOut === 'all' ? 'Every device was' : 'Every other device was';
  return writeEmail({
    to: to.email,
    dedupeKey,
    subject: 'Your password was changed',
    preheader: `${devices} logged out.`,
    footer: TO_OWNER,
    heading: 'Your password was changed',
    body: (
      <MailParagraph>
        {hello(to)}, the account of {to.email} has a new password. {devices} logged out.
      </MailParagraph>
    ),
    smallPrint: (
      <>
        Wasn’t you? <MailLink href={forgotLink}>Choose another password</MailLink> right away.
      </>
    ),
  });
}

/** Sent when someone tries many passwords for an account, at most once a day. */
export function guessedAtEmail(to: Recipient, forgotLink: string, dedupeKey: string): Email {
  return writeEmail({
    to: to.email,
    dedupeKey,
    subject: 'Someone is trying to log in to your account',
    preheader: 'No one got in. You don’t need to do anything.',
    footer: TO_OWNER,
    heading: 'Many wrong passwords',
    body: (
      <>
        <MailParagraph>
          {hello(to)}, someone tried many wrong passwords for the account of {to.email} today. None was correct. Until
          it stops, only devices on which you have logged in before can log in with a password.
        </MailParagraph>
        <MailParagraph>On a new device, choose a new password by email: that lets you in right away.</MailParagraph>
      </>
    ),
    button: { label: 'Choose a new password', href: forgotLink },
  });
}
