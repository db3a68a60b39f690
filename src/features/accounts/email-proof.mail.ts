/**
 * The email after a sign-up. It repeats nothing that was typed: someone who signed up with another person's address must not
 * be able to write to them through us.
 */
import { createElement as h, Fragment } from 'react';
import { PROOF_DAYS } from '#src/features/accounts/email-proof.contract.ts';
import { MailButton, MailHeading, MailLink, MailParagraph, renderEmail } from '#src/platform/mail/mail-kit.ts';
import type { Email } from '#src/platform/mail/mail.ts';

const BRAND = { name: 'Sideline', accent: '#0099CC' };

/** @param link opens the confirmation, for the account's own session only @param forgotLink takes the account over */
export function welcomeEmail(to: string, link: string, forgotLink: string, dedupeKey: string): Email {
  const rendered = renderEmail({
    subject: 'Confirm your email address',
    preheader: 'One click, and your Sideline account is complete.',
    brand: BRAND,
    footer: 'Sent by Sideline, because an account was opened with this address.',
    body: h(
      Fragment,
      null,
      h(MailHeading, { children: 'Welcome to Sideline' }),
      h(MailParagraph, {
        children: `An account was opened with ${to}. Please confirm that the address is yours. You need to be logged in.`,
      }),
      h(MailButton, { brand: BRAND, href: link, children: 'Confirm my email address' }),
      h(MailParagraph, { children: `The link works for the next ${PROOF_DAYS} days.` }),
      h(MailParagraph, {
        quiet: true,
        children: h(
          Fragment,
          null,
          'Didn’t sign up? Then someone else used your address. ',
          h(MailLink, { href: forgotLink, children: 'Choose a password' }),
          ' and the account is yours alone, or ignore this email.',
        ),
      }),
    ),
  });
  return { ...rendered, to, dedupeKey };
}
