/** Emails to members about cards. They name no child. */
import { MailParagraph, plainBrand, writeEmail, type MailBrand } from '#src/platform/mail/mail-kit.tsx';
import { withoutLinks, type Email } from '#src/platform/mail/mail.ts';

type Told = { to: string; brand: MailBrand };

/** "number 10 of Hawks U12": how emails refer to a child. */
function childInWords({ team, number }: { team: string | null; number: string | null }): string {
  const named = [
    number === null ? 'a player' : `number ${number}`,
    ...(team === null ? [] : [`of ${withoutLinks(team)}`]),
  ];
  return named.join(' ');
}

/** Many wrong codes within an hour; at most one such email a day. */
export function guessesEmail(told: Told & { organizationId: number; day: string }): Email {
  const brand = plainBrand(told.brand);
  return writeEmail({
    to: told.to,
    dedupeKey: `family-guesses-${told.organizationId}-${told.day}-${told.to}`,
    subject: 'Someone may be guessing the codes of cards',
    preheader: 'No card was opened by guessing.',
    brand,
    heading: 'Many wrong codes within an hour',
    body: (
      <MailParagraph>
        Someone entered 200 or more wrong codes on the family page of {brand.name} within an hour. Senders of wrong
        codes are stopped for an hour, and families with their own card are not affected. You do not have to do
        anything.
      </MailParagraph>
    ),
  });
}

type ToldOfChild = Told & { team: string | null; number: string | null; link: string };
type Words = { dedupeKey: string; subject: string; preheader: string; heading: string; text: string };

function emailAboutChild({ to, brand, link }: ToldOfChild, { heading, text, ...words }: Words): Email {
  return writeEmail({
    to,
    brand,
    ...words,
    heading,
    body: <MailParagraph>{text}</MailParagraph>,
    button: { label: 'Open the roster', href: link },
  });
}

/** "This is not my child". */
export function cardRefusedEmail(told: ToldOfChild & { cardId: number }): Email {
  return emailAboutChild(
    { ...told, brand: plainBrand(told.brand) },
    {
      dedupeKey: `card-refused-${told.cardId}-${told.to}`,
      subject: 'A card was given to the wrong family',
      preheader: 'Its code no longer opens anything.',
      heading: 'A card went to the wrong family',
      text: `A family opened the card of ${childInWords(told)} and told us that this is not their child. The card no longer opens anything. Please make a new card for the right family, and look whether others were mixed up.`,
    },
  );
}

/** Sent when a card's answer shows photos for the first time, because the card may have been found by someone else. */
export function familyShowedEmail(told: ToldOfChild & { athleteId: number }): Email {
  return emailAboutChild(told, {
    dedupeKey: `family-showed-${told.athleteId}-${told.to}`,
    subject: 'A family lets photos of its child be published',
    preheader: 'The photos are shown now. You can change this on the roster.',
    heading: 'A family lets photos be published',
    text: `With the card of ${childInWords(told)} someone allowed us to show photos of this child, and they are public now. If the card may be in wrong hands, make a new one and change the consent on the roster: what you decide holds.`,
  });
}

/** Sent when a family hides the photos of its child for the first time. */
export function familyHidEmail(told: ToldOfChild & { athleteId: number }): Email {
  return emailAboutChild(told, {
    dedupeKey: `family-hid-${told.athleteId}-${told.to}`,
    subject: 'A family hid the photos of its child',
    preheader: 'The photos are hidden now. You can change this on the roster.',
    heading: 'A family hid photos',
    text: `With the card of ${childInWords(told)} someone hid all photos of this child, team pictures included. If the card may be in wrong hands, make a new one and change the consent on the roster: what you decide holds.`,
  });
}
