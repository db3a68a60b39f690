/** Emails that tell the people of an organization of its webhooks. */
import { MailButton, MailFacts, MailHeading, MailParagraph, writeEmail } from '#src/platform/mail/mail-kit.tsx';
import { withoutLinks, type Email } from '#src/platform/mail/mail.ts';

/** Events go to another machine from now on: it outlives the access of whoever said so, so all of them hear of it. */
export function webhookAddedEmail(
  to: { firstName: string; email: string },
  organization: { name: string; primaryColor: string },
  { host, dedupeKey }: { host: string; dedupeKey: string },
): Email {
  return writeEmail({
    to: to.email,
    dedupeKey,
    subject: `New webhook of ${organization.name}`,
    preheader: 'Another machine is told of what happens now.',
    brand: { name: 'Sideline', accent: organization.primaryColor },
    footer: 'Sent by Sideline to the people of the organization.',
    body: (
      <>
        <MailHeading>New webhook</MailHeading>
        <MailParagraph>
          Hello {withoutLinks(to.firstName)}, the receiver below is told of what happens in{' '}
          {withoutLinks(organization.name)} from now on, until the webhook is deleted under Settings, Webhooks.
        </MailParagraph>
        <MailFacts rows={[{ name: 'Receiver', value: host }]} />
        <MailParagraph quiet>
          Don’t know about this? Delete the webhook and reply to this email right away.
        </MailParagraph>
      </>
    ),
  });
}

/** `link`: to its log and its switch. */
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
    footer: 'Sent by Sideline to the people of the organization.',
    body: (
      <>
        <MailHeading>A webhook is paused</MailHeading>
        <MailParagraph>
          Hello {withoutLinks(to.firstName)}, the receiver below has not accepted any message for three days, or has
          said that it wants no more. We stopped sending to it.
        </MailParagraph>
        <MailFacts
          rows={[
            { name: 'Organization', value: withoutLinks(organization.name) },
            { name: 'Receiver', value: host },
          ]}
        />
        <MailParagraph>
          When it works again, turn the webhook on and send what failed once more. Events are not noted while it is
          paused.
        </MailParagraph>
        <MailButton href={link}>Open the webhook</MailButton>
      </>
    ),
  });
}
