/** The email that welcomes the contact of a new organization: where it is, and how to come in. Never a password. */
import { createElement as h, Fragment } from 'react';
import { withoutLinks } from '#src/platform/mail/foreign-words.ts';
import { MailButton, MailHeading, MailParagraph, renderEmail } from '#src/platform/mail/mail-kit.ts';
import type { Email } from '#src/platform/mail/mail.ts';

const BRAND = { name: 'Sideline', accent: '#0099CC' };

export type Welcome = {
  to: { firstName: string; email: string };
  organizationName: string;
  /** `https://lakeside.…/` */
  address: string;
  loginLink: string;
  forgotLink: string;
  dedupeKey: string;
};

export function welcomeEmail({ to, organizationName, address, loginLink, forgotLink, dedupeKey }: Welcome): Email {
  const rendered = renderEmail({
    subject: `${organizationName} is on Sideline`,
    preheader: `Its own address: ${address}`,
    brand: BRAND,
    footer: 'Sent by Sideline, because your organization was opened with this email address.',
    body: h(
      Fragment,
      null,
      h(MailHeading, { children: 'Welcome' }),
      h(MailParagraph, {
        children: `Hello ${withoutLinks(to.firstName)}, ${withoutLinks(organizationName)} has its own address now: ${address}`,
      }),
      h(MailParagraph, {
        children: `You manage it. Log in as ${to.email} with the password you were given.`,
      }),
      h(MailButton, { brand: BRAND, href: loginLink, children: 'Log in' }),
      h(MailParagraph, {
        quiet: true,
        children: `Weren’t given one, or want to choose your own? Do so at ${forgotLink}`,
      }),
    ),
  });
  return { ...rendered, to: to.email, dedupeKey };
}
