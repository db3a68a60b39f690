/** Emails to an organization's members about its webhooks. */
import { MailFacts, MailParagraph, writeEmail } from '#src/platform/mail/mail-kit.tsx';
import { withoutLinks, type Email } from '#src/platform/mail/mail.ts';

/**
 * Events are sent to another machine from now on. A webhook outlives the access of the member who added it, so all
 * members are notified.
 */
export function webhookAddedEmail(
  to: { firstName: string; email: string },
  organization: { name: string; primaryColor: string },
  { host, dedupeKey }: { host: string; dedupeKey: string },
): Email {
  return writeEmail({
    to: to.email,
    dedupeKey,
    subject: `New webhook of ${organization.name}`,
    preheader: 'Another server now receives events.',
    brand: { name: 'Sideline', accent: organization.primaryColor },
    footer: 'Sent by Sideline to the members of the organization.',
    heading: 'New webhook',
    body: (
      <>
        <MailParagraph>
          Hello {withoutLinks(to.firstName)}, the receiver below now gets the events of{' '}
          {withoutLinks(organization.name)}, until you delete the webhook under Settings, Webhooks.
        </MailParagraph>
        <MailFacts rows={[{ name: 'Receiver', value: host }]} />
      </>
    ),
    smallPrint: 'Don’t recognize this? Delete the webhook and reply to this email right away.',
  });
}

/** `link`: the page with its log and its switch. */
export function webhookPausedEmail(
  to: { firstName: string; email: string },
  organization: { name: string; primaryColor: string },
  { host, link, dedupeKey }: { host: string; link: string; dedupeKey: string },
): Email {
  return writeEmail({
    to: to.email,
    dedupeKey,
    subject: `A webhook of ${organization.name} is paused`,
    preheader: 'Its receiver has not accepted anything for days.',
    brand: { name: 'Sideline', accent: organization.primaryColor },
    footer: 'Sent by Sideline to the members of the organization.',
    heading: 'A webhook is paused',
    body: (
      <>
        <MailParagraph>
          Hello {withoutLinks(to.firstName)}, the receiver below has not accepted any message for three days, or has
          refused messages permanently. We stopped sending to it.
        </MailParagraph>
        <MailFacts
          rows={[
            { name: 'Organization', value: withoutLinks(organization.name) },
            { name: 'Receiver', value: host },
          ]}
        />
        <MailParagraph>
          When it works again, turn the webhook on and send what failed again. Events are not recorded while it is
          paused.
        </MailParagraph>
      </>
    ),
    button: { label: 'Open the webhook', href: link },
  });
}
