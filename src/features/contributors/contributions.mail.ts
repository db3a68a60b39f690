/** The email that tells an owner of photos that wait for review. */
import { createElement as h, Fragment } from 'react';
import { withoutLinks } from '#src/platform/mail/foreign-words.ts';
import { MailButton, MailHeading, MailParagraph, renderEmail, type MailBrand } from '#src/platform/mail/mail-kit.ts';
import type { Email } from '#src/platform/mail/mail.ts';

type Arrival = { to: string; gallery: string; waiting: number; brand: MailBrand; link: string; dedupeKey: string };

/** How many photos wait, and where. */
export function contributionsArrivedEmail({ to, gallery, waiting, brand, link, dedupeKey }: Arrival): Email {
  const photos = waiting === 1 ? '1 photo waits' : `${waiting.toLocaleString('en-US')} photos wait`;
  const rendered = renderEmail({
    subject: `${photos} for you in ${gallery}`,
    preheader: 'No one sees them before you do.',
    brand,
    footer: `Sent by Sideline to ${withoutLinks(brand.name)}, at most once an hour for a gallery.`,
    body: h(
      Fragment,
      null,
      h(MailHeading, { children: 'New photos from your people' }),
      h(MailParagraph, {
        children: `${photos} for your review in the gallery “${withoutLinks(gallery)}”. No one sees ${waiting === 1 ? 'it' : 'them'} before you do.`,
      }),
      h(MailButton, { brand, href: link, children: 'Review photos' }),
    ),
  });
  return { ...rendered, to, dedupeKey };
}
