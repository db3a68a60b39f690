/** The email to an owner about photos to review. */
import { MailParagraph, writeEmail, type MailBrand } from '#src/platform/mail/mail-kit.tsx';
import { withoutLinks, type Email } from '#src/platform/mail/mail.ts';
import { counted } from '#src/shared/counted.ts';

type Arrival = { to: string; gallery: string; waiting: number; brand: MailBrand; link: string; dedupeKey: string };

/** How many photos wait, and where. */
export function contributionsArrivedEmail({ to, gallery, waiting, brand, link, dedupeKey }: Arrival): Email {
  const photos = counted(waiting, 'photo waits', 'photos wait');
  return writeEmail({
    to,
    dedupeKey,
    subject: `${photos} for you in ${gallery}`,
    preheader: 'No one sees them before you do.',
    brand,
    footer: `Sent by Sideline to ${withoutLinks(brand.name)}, at most once an hour for a gallery.`,
    heading: 'New photos from your contributors',
    body: (
      <MailParagraph>
        {photos} for your review in the gallery “{withoutLinks(gallery)}”. No one sees {waiting === 1 ? 'it' : 'them'}{' '}
        before you do.
      </MailParagraph>
    ),
    button: { label: 'Review photos', href: link },
  });
}
