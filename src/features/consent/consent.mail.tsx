/** To members: a sold photo was withdrawn because a family asked for it. The email names no child, no photo and no buyer. */
import { MailParagraph, writeEmail, type MailBrand } from '#src/platform/mail/mail-kit.tsx';
import type { Email } from '#src/platform/mail/mail.ts';

export function soldWithdrawnEmail(told: {
  to: string;
  brand: MailBrand;
  /** Identifies the change, so that one change sends one email. */
  changeKey: string;
  photos: number;
  link: string;
}): Email {
  const { photos } = told;
  const what = photos === 1 ? 'A photo that was sold' : `${photos.toLocaleString('en-US')} photos that were sold`;
  return writeEmail({
    to: told.to,
    dedupeKey: `sold-withdrawn-${told.changeKey}-${told.to}`,
    subject: photos === 1 ? 'A sold photo was withdrawn' : 'Sold photos were withdrawn',
    preheader: 'Would you like to refund the buyers?',
    brand: told.brand,
    footer: `Sent to you because you manage ${told.brand.name} on Sideline.`,
    heading: 'Would you like to refund the buyers?',
    body: (
      <MailParagraph>
        {what} can no longer be downloaded, because a family does not want its child to be published. The receipts still
        name {photos === 1 ? 'the photo' : 'the photos'}.
      </MailParagraph>
    ),
    button: { label: 'See the orders', href: told.link },
  });
}
