/** Emails about requests to hide a photo: to the person who asked, and to the owners of the gallery. */
import { FORGET_AFTER_DAYS, type TakedownState } from '#src/features/takedowns/takedowns.contract.ts';
import {
  MailFacts,
  MailParagraph,
  MailParagraphs,
  plainBrand,
  writeEmail,
  type MailBrand,
} from '#src/platform/mail/mail-kit.tsx';
import { withoutLinks, type Email } from '#src/platform/mail/mail.ts';

export type AboutPhoto = { galleryName: string; photoName: string };
type EmailFacts = AboutPhoto & { id: number; to: string; brand: MailBrand };

/** Dedupe keys of the emails to the person who asked. */
export function emailsOf(takedownId: number): [asked: string, decided: string] {
  return [`takedown-asked-${takedownId}`, `takedown-decided-${takedownId}`];
}

const arrivedKey = (takedownId: number, recipient: number) => `takedown-arrived-${takedownId}-${recipient}`;

/** Dedupe keys of the emails to owners: an undelivered one still contains the reason. */
export function ownersEmailsOf(takedownId: number, owners: number): string[] {
  return Array.from({ length: owners }, (_, recipient) => arrivedKey(takedownId, recipient));
}

function PhotoFacts({ galleryName, photoName }: AboutPhoto) {
  const rows = [
    { name: 'Gallery', value: withoutLinks(galleryName) },
    { name: 'Photo', value: withoutLinks(photoName) },
  ];
  return <MailFacts rows={rows} />;
}

/** Confirms the request. It contains no text of the asker, because the address may be someone else's. */
export function requestReceivedEmail({ hiddenFirst, ...facts }: EmailFacts & { hiddenFirst: boolean }): Email {
  const brand = plainBrand(facts.brand);
  return writeEmail({
    to: facts.to,
    dedupeKey: emailsOf(facts.id)[0],
    subject: 'We have your request to hide a photo',
    preheader: hiddenFirst ? 'The photo is hidden until a decision is made.' : `${brand.name} will review it.`,
    brand,
    footer: `Sent by ${brand.name} with Sideline because someone entered this address. If it wasn’t you, you can ignore this email.`,
    heading: 'We have your request',
    body: (
      <>
        <MailParagraph>
          {hiddenFirst && 'The photo is hidden now. '}
          {brand.name} will review your request and reply to you.
        </MailParagraph>
        <PhotoFacts {...facts} />
      </>
    ),
    smallPrint: `Only the people who decide see your address, and it is removed ${FORGET_AFTER_DAYS} days after the decision.`,
  });
}

/** To an owner. The reason may be long and is someone's own words; the asker's address is only on the page. */
export function requestArrivedEmail(
  facts: EmailFacts & { hiddenFirst: boolean; guardian: boolean; reason: string; link: string; recipient: number },
): Email {
  const { hiddenFirst } = facts;
  const brand = plainBrand(facts.brand);
  return writeEmail({
    to: facts.to,
    dedupeKey: arrivedKey(facts.id, facts.recipient),
    subject: `Request to hide a photo: ${facts.galleryName}`,
    preheader: hiddenFirst ? 'It is hidden until you decide.' : 'It is still shown. Please decide.',
    brand,
    heading: 'Please hide this photo',
    body: (
      <>
        <MailParagraph>
          {facts.guardian ? 'A parent or guardian, or the person in the picture,' : 'Someone'} asks you to hide a photo.{' '}
          {hiddenFirst ? 'It is hidden until you decide.' : 'It is still shown.'}
        </MailParagraph>
        <PhotoFacts {...facts} />
        <MailParagraphs text={withoutLinks(facts.reason)} quoted />
      </>
    ),
    button: { label: 'Review the request', href: facts.link },
  });
}

const ANSWERS: Record<Exclude<TakedownState, 'open'>, { heading: string; sentence: (seller: string) => string }> = {
  hidden: { heading: 'The photo is hidden', sentence: () => 'No one can see it in the gallery anymore.' },
  deleted: { heading: 'The photo is deleted', sentence: () => 'It was permanently removed from the gallery.' },
  kept: {
    heading: 'The photo stays',
    sentence: (seller) => `${seller} reviewed your request and is keeping the photo in the gallery.`,
  },
};

/** The decision, with the owners' note. */
export function requestDecidedEmail(
  facts: EmailFacts & { state: Exclude<TakedownState, 'open'>; note: string; wasSold: boolean },
): Email {
  const { state, note } = facts;
  const brand = plainBrand(facts.brand);
  const { heading, sentence } = ANSWERS[state];
  return writeEmail({
    to: facts.to,
    dedupeKey: emailsOf(facts.id)[1],
    subject: `${heading}: ${facts.galleryName}`,
    preheader: `${brand.name} answered your request.`,
    brand,
    heading,
    body: (
      <>
        <MailParagraph>{sentence(brand.name)}</MailParagraph>
        <MailParagraphs text={withoutLinks(note)} quoted />
        <PhotoFacts {...facts} />
        {state !== 'kept' && facts.wasSold && (
          <MailParagraph quiet>People who already bought it keep their copies.</MailParagraph>
        )}
      </>
    ),
  });
}
