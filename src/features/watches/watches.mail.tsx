/** Emails of watches. They contain no names of children, because anyone can request one. */
import { playerInWords, type Player } from '#src/features/watches/watches.rules.ts';
import {
  MailButton,
  MailLink,
  MailParagraph,
  plainBrand,
  writeEmail,
  type MailBrand,
} from '#src/platform/mail/mail-kit.tsx';
import { withoutLinks, type Email } from '#src/platform/mail/mail.ts';
import { counted } from '#src/shared/counted.ts';

type EmailFacts = { to: string; brand: MailBrand; dedupeKey: string };

const named = ({ number, team }: Player) => playerInWords({ number, team: team === null ? null : withoutLinks(team) });

/** The first of two steps: no other email follows unless its button is clicked. */
export function confirmWatchEmail(facts: EmailFacts & { player: Player; link: string }): Email {
  const brand = plainBrand(facts.brand);
  const player = named(facts.player);
  return writeEmail({
    ...facts,
    subject: `New photos of ${player}: please confirm`,
    preheader: 'Press the button, and we will tell you about new photos.',
    brand,
    footer: `Sent by ${brand.name} with Sideline because someone entered this address. If it wasn’t you, you can ignore this email: you will get no others.`,
    heading: 'Do you want to hear about new photos?',
    body: (
      <MailParagraph>
        Press the button, and we will tell you about new photos of {player}, at most once a day.
      </MailParagraph>
    ),
    button: { label: 'Tell me about new photos', href: facts.link },
    smallPrint: 'The button works for seven days.',
  });
}

type PlayerNews = { player: Player; photos: number; link: string; stopLink: string };

/** One email for all players of one address. */
export function newPhotosEmail(facts: EmailFacts & { news: readonly PlayerNews[]; stopAllLink: string }): Email {
  const brand = plainBrand(facts.brand);
  const total = facts.news.reduce((sum, { photos }) => sum + photos, 0);
  const [first] = facts.news;
  const subject = facts.news.length === 1 && first ? `${newPhotos(total)} of ${named(first.player)}` : newPhotos(total);
  return {
    ...writeEmail({
      ...facts,
      subject,
      preheader: `At ${brand.name}.`,
      brand,
      footer: (
        <>
          Sent by {brand.name} with Sideline because you asked for it.{' '}
          {facts.news.length > 1 && <MailLink href={facts.stopAllLink}>Stop all of these emails</MailLink>}
        </>
      ),
      heading: newPhotos(total),
      body: facts.news.map(({ player, photos, link, stopLink }) => (
        <div key={stopLink}>
          <MailParagraph>
            {newPhotos(photos)} of {named(player)}.
          </MailParagraph>
          <MailButton brand={brand} href={link}>
            See the photos
          </MailButton>
          <MailParagraph quiet>
            <MailLink href={stopLink}>No more emails about {named(player)}</MailLink>
          </MailParagraph>
        </div>
      )),
    }),
    unsubscribeUrl: facts.stopAllLink,
  };
}

const newPhotos = (photos: number) => counted(photos, 'new photo', 'new photos');
