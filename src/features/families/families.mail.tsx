/** Emails to members about cards. They name no child. */
import { MailParagraph, plainBrand, writeEmail, type MailBrand } from '#src/platform/mail/mail-kit.tsx';
import { withoutLinks, type Email } from '#src/platform/mail/mail.ts';

type EmailFacts = { to: string; brand: MailBrand };

/** "number 10 of Hawks U12": how emails refer to a child. */
function childInWords({ team, number }: { team: string | null; number: string | null }): string {
  const named = [
    number === null ? 'a player' : `number ${number}`,
    ...(team === null ? [] : [`of ${withoutLinks(team)}`]),
  ];
  return named.join(' ');
}

/** Many wrong codes within an hour; at most one such email a day. */
export function guessesEmail(facts: EmailFacts & { organizationId: number; day: string }): Email {
  const brand = plainBrand(facts.brand);
  return writeEmail({
    to: facts.to,
    dedupeKey: `family-guesses-${facts.organizationId}-${facts.day}-${facts.to}`,
    subject: 'Someone may be guessing the codes of cards',
    preheader: 'No card was opened by guessing.',
    brand,
    heading: 'Many wrong codes within an hour',
    body: (
      <MailParagraph>
        Someone entered 200 or more wrong codes on the family page of {brand.name} within an hour. Anyone who enters
        wrong codes is blocked for an hour; families with their own card are not affected. You don’t need to do
        anything.
      </MailParagraph>
    ),
  });
}

type ChildEmailFacts = EmailFacts & { team: string | null; number: string | null; link: string };
type Words = { dedupeKey: string; subject: string; preheader: string; heading: string; text: string };

function emailAboutChild({ to, brand, link }: ChildEmailFacts, { heading, text, ...words }: Words): Email {
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
export function cardRefusedEmail(facts: ChildEmailFacts & { cardId: number }): Email {
  return emailAboutChild(
    { ...facts, brand: plainBrand(facts.brand) },
    {
      dedupeKey: `card-refused-${facts.cardId}-${facts.to}`,
      subject: 'A card was given to the wrong family',
      preheader: 'Its code no longer opens anything.',
      heading: 'A card went to the wrong family',
      text: `A family opened the card of ${childInWords(facts)} and said that this is not their child. The card no longer opens anything. Please create a new card for the right family, and check whether others were mixed up.`,
    },
  );
}

/** Sent when a card's answer shows photos for the first time, because the card may have been found by someone else. */
export function familyShowedEmail(facts: ChildEmailFacts & { athleteId: number }): Email {
  return emailAboutChild(facts, {
    dedupeKey: `family-showed-${facts.athleteId}-${facts.to}`,
    subject: 'A family allowed photos of their child to be published',
    preheader: 'The photos are shown now. You can change this on the roster.',
    heading: 'A family allowed photos to be published',
    text: `With the card of ${childInWords(facts)} someone allowed us to show photos of this child, and they are public now. If the wrong person may have the card, create a new one and change the consent on the roster: your decision counts.`,
  });
}

/** Sent when a family hides the photos of its child for the first time. */
export function familyHidEmail(facts: ChildEmailFacts & { athleteId: number }): Email {
  return emailAboutChild(facts, {
    dedupeKey: `family-hid-${facts.athleteId}-${facts.to}`,
    subject: 'A family hid the photos of their child',
    preheader: 'The photos are hidden now. You can change this on the roster.',
    heading: 'A family hid photos',
    text: `With the card of ${childInWords(facts)} someone hid all photos of this child, team pictures included. If the wrong person may have the card, create a new one and change the consent on the roster: your decision counts.`,
  });
}

/** Sent when a family deletes the addresses that the organization has for it; at most once a day for each child. */
export function familyForgottenEmail(facts: ChildEmailFacts & { athleteId: number; day: string }): Email {
  return emailAboutChild(facts, {
    dedupeKey: `family-forgotten-${facts.athleteId}-${facts.day}-${facts.to}`,
    subject: 'A family deleted its email addresses',
    preheader: 'A file that has them would enter them again.',
    heading: 'A family deleted its email addresses',
    text: `With the card of ${childInWords(facts)} someone deleted all email addresses that you had here for the family of this child. Please remove them from your own lists, too: the next file that has them would enter them again. If the wrong person may have the card, create a new one.`,
  });
}
