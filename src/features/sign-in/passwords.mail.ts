/** Emails about passwords: the link to a new one, and the word that it was changed. */
import { createElement as h, Fragment } from 'react';
import { INVITATION_DAYS, RESET_MINUTES } from '#src/features/sign-in/passwords.contract.ts';
import { withoutLinks } from '#src/platform/mail/foreign-words.ts';
import { MailButton, MailHeading, MailLink, MailParagraph, renderEmail } from '#src/platform/mail/mail-kit.ts';
import type { Email } from '#src/platform/mail/mail.ts';

const BRAND = { name: 'Sideline', accent: '#0099CC' };

/** No name where it may be that of a stranger who used the address. */
type Recipient = { firstName: string | null; email: string };

const hello = ({ firstName }: Recipient) => (firstName === null ? 'Hello' : `Hello ${withoutLinks(firstName)}`);

/** `link` is made from configuration; `dedupeKey` names the link without opening it. */
export function resetEmail(to: Recipient, link: string, dedupeKey: string): Email {
  const rendered = renderEmail({
    subject: 'Choose a new password',
    preheader: `The link works once, for the next ${RESET_MINUTES} minutes.`,
    brand: BRAND,
    footer: 'Sent by Sideline, because someone asked for it at the login.',
    body: h(
      Fragment,
      null,
      h(MailHeading, { children: 'A new password' }),
      h(MailParagraph, {
        children: `${hello(to)}, someone (we hope it was you) asked for a new password for ${to.email}.`,
      }),
      h(MailButton, { brand: BRAND, href: link, children: 'Choose a new password' }),
      h(MailParagraph, { children: `The link works once, for the next ${RESET_MINUTES} minutes.` }),
      h(MailParagraph, {
        quiet: true,
        children: 'Didn’t request this? You can ignore this email; your password won’t change.',
      }),
    ),
  });
  return { ...rendered, to: to.email, dedupeKey };
}

/** The first email to someone for whom an account was opened (rule 37). `link` opens the choice of a password. */
export function invitationEmail(to: Recipient, organizationName: string, link: string, dedupeKey: string): Email {
  const rendered = renderEmail({
    subject: 'Your Sideline account is ready',
    preheader: 'Choose a password, and your first gallery is a few minutes away.',
    brand: BRAND,
    footer: 'Sent by Sideline, because an account was opened with this address.',
    body: h(
      Fragment,
      null,
      h(MailHeading, { children: 'Welcome to the team' }),
      h(MailParagraph, {
        children: `${hello(to)}, an account was opened for you, so that ${withoutLinks(organizationName)} can show and sell its photos. Choose a password, and it is yours.`,
      }),
      h(MailButton, { brand: BRAND, href: link, children: 'Choose a password' }),
      h(MailParagraph, {
        children: `The link works once, for the next ${INVITATION_DAYS} days. You sign in with ${to.email}.`,
      }),
      h(MailParagraph, { quiet: true, children: 'Didn’t expect this? You can ignore this email.' }),
    ),
  });
  return { ...rendered, to: to.email, dedupeKey };
}

/** Tells the owner of an account that its password is another now. */
export function passwordChangedEmail(
  to: Recipient,
  forgotLink: string,
  dedupeKey: string,
  loggedOut: 'all' | 'others' = 'all',
): Email {
  const devices = loggedOut === 'all' ? 'Every device was' : 'Every other device was';
  const rendered = renderEmail({
    subject: 'Your password was changed',
    preheader: `${devices} logged out.`,
    brand: BRAND,
    footer: 'Sent by Sideline to the owner of the account.',
    body: h(
      Fragment,
      null,
      h(MailHeading, { children: 'Your password was changed' }),
      h(MailParagraph, {
        children: `${hello(to)}, the account of ${to.email} has a new password. ${devices} logged out.`,
      }),
      h(MailParagraph, {
        quiet: true,
        children: h(
          Fragment,
          null,
          'That was not you? ',
          h(MailLink, { href: forgotLink, children: 'Choose another password' }),
          ' right away.',
        ),
      }),
    ),
  });
  return { ...rendered, to: to.email, dedupeKey };
}

/** Someone tries many passwords of an account: told once a day. */
export function guessedAtEmail(to: Recipient, forgotLink: string, dedupeKey: string): Email {
  const rendered = renderEmail({
    subject: 'Someone is trying to log in to your account',
    preheader: 'No one got in. You don’t have to do anything.',
    brand: BRAND,
    footer: 'Sent by Sideline to the owner of the account.',
    body: h(
      Fragment,
      null,
      h(MailHeading, { children: 'Many wrong passwords' }),
      h(MailParagraph, {
        children: `${hello(to)}, someone tried many wrong passwords for the account of ${to.email} today. None was correct. Until it stops, only devices on which you have logged in before can log in with a password.`,
      }),
      h(MailParagraph, {
        children: 'On a new device, choose a new password by email: it lets you in at once.',
      }),
      h(MailButton, { brand: BRAND, href: forgotLink, children: 'Choose a new password' }),
    ),
  });
  return { ...rendered, to: to.email, dedupeKey };
}
