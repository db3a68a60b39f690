/** The email that tells people of an organization that its card keys are others now (rule 47). */
import { createElement as h, Fragment } from 'react';
import { withoutLinks } from '#src/platform/mail/foreign-words.ts';
import { MailHeading, MailParagraph, renderEmail } from '#src/platform/mail/mail-kit.ts';
import type { Email } from '#src/platform/mail/mail.ts';

export function keysChangedEmail(
  to: { firstName: string; email: string },
  organization: { name: string; primaryColor: string },
  dedupeKey: string,
): Email {
  const rendered = renderEmail({
    subject: `Card keys of ${organization.name} were changed`,
    preheader: 'New orders are paid with the new keys.',
    brand: { name: 'Sideline', accent: organization.primaryColor },
    footer: 'Sent by Sideline to the people of the organization.',
    body: h(
      Fragment,
      null,
      h(MailHeading, { children: 'New card keys' }),
      h(MailParagraph, {
        children: `Hello ${withoutLinks(to.firstName)}, ${withoutLinks(organization.name)} has new card keys. New orders are paid to their account.`,
      }),
      h(MailParagraph, {
        quiet: true,
        children: 'Didn’t make this change? Reply to this email right away.',
      }),
    ),
  });
  return { ...rendered, to: to.email, dedupeKey };
}
