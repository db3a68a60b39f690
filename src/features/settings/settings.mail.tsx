/** Emails that notify members of an organization of changed card keys (rule 47), and of where its payouts go. */
import { MailParagraph, writeEmail } from '#src/platform/mail/mail-kit.tsx';
import { withoutLinks, type Email } from '#src/platform/mail/mail.ts';

type Member = { firstName: string; email: string };
type Changed = { name: string; primaryColor: string };
type Words = { subject: string; preheader: string; heading: string; text: string };

export const keysChangedEmail = (to: Member, organization: Changed, dedupeKey: string): Email =>
  changeEmail(to, organization, dedupeKey, {
    subject: `Card keys of ${organization.name} were changed`,
    preheader: 'New orders are paid with the new keys.',
    heading: 'New card keys',
    text: `${withoutLinks(organization.name)} has new card keys. New orders are paid to their account.`,
  });

export const payeeChangedEmail = (to: Member, organization: Changed, dedupeKey: string): Email =>
  changeEmail(to, organization, dedupeKey, {
    subject: `The payee of ${organization.name} was changed`,
    preheader: 'Payouts are made to the new name and address.',
    heading: 'New payee',
    text: `the billing name or address of ${withoutLinks(organization.name)} was changed in its settings. Payouts are made to the new one.`,
  });

function changeEmail(to: Member, organization: Changed, dedupeKey: string, { text, ...words }: Words): Email {
  return writeEmail({
    ...words,
    to: to.email,
    dedupeKey,
    brand: { name: 'Sideline', accent: organization.primaryColor },
    footer: 'Sent by Sideline to the members of the organization.',
    body: (
      <MailParagraph>
        Hello {withoutLinks(to.firstName)}, {text}
      </MailParagraph>
    ),
    smallPrint: 'Didn’t make this change? Reply to this email right away.',
  });
}
