/** Emails about requests to hide a photo: to the person who asked, and to the owners of the gallery. */
import { withoutLinks } from '#src/platform/mail/foreign-words.ts';
import { createElement as h, Fragment } from 'react';
import { FORGET_AFTER_DAYS, type TakedownState } from '#src/features/takedowns/takedowns.contract.ts';
import {
  MailButton,
  MailFacts,
  MailHeading,
  MailParagraph,
  renderEmail,
  type MailBrand,
} from '#src/platform/mail/mail-kit.ts';
import type { Email } from '#src/platform/mail/mail.ts';

export type AboutPhoto = { galleryName: string; photoName: string };
type EmailFacts = AboutPhoto & { id: number; to: string; brand: MailBrand };

/** Dedupe keys of the emails that went to the person who asked. */
export function emailsOf(takedownId: number): [asked: string, decided: string] {
  return [`takedown-asked-${takedownId}`, `takedown-decided-${takedownId}`];
}

const arrivedKey = (takedownId: number, recipient: number) => `takedown-arrived-${takedownId}-${recipient}`;

/** Those that went to owners: one that could not be delivered still says why someone asked. */
export function ownersEmailsOf(takedownId: number, owners: number): string[] {
  return Array.from({ length: owners }, (_, recipient) => arrivedKey(takedownId, recipient));
}

/** Anyone who asks chooses where the email goes, and an organization chooses its name. */
const plain = (brand: MailBrand): MailBrand => ({ ...brand, name: withoutLinks(brand.name) });

const facts = ({ galleryName, photoName }: AboutPhoto) =>
  h(MailFacts, {
    rows: [
      { name: 'Gallery', value: withoutLinks(galleryName) },
      { name: 'Photo', value: withoutLinks(photoName) },
    ],
  });

/**
 * "We have it". Nothing that the asker wrote is in it: the address may be someone else's, and this email must not
 * carry a stranger's words.
 */
export function requestKeptEmail({ hiddenFirst, ...told }: EmailFacts & { hiddenFirst: boolean }): Email {
  const brand = plain(told.brand);
  const rendered = renderEmail({
    subject: 'We have your request to hide a photo',
    preheader: hiddenFirst ? 'The photo is hidden until a decision is made.' : `${brand.name} will review it.`,
    brand,
    footer: `Sent by ${brand.name} with Sideline, because someone entered this address. If it wasn’t you, you can ignore this email.`,
    body: h(
      Fragment,
      null,
      h(MailHeading, { children: 'We have your request' }),
      h(MailParagraph, {
        children: hiddenFirst
          ? `The photo is hidden now. ${brand.name} will review your request and reply to you.`
          : `${brand.name} will review your request and reply to you.`,
      }),
      facts(told),
      h(MailParagraph, {
        quiet: true,
        children: `Only the people who decide see your address, and it is removed ${FORGET_AFTER_DAYS} days after the decision.`,
      }),
    ),
  });
  return { ...rendered, to: told.to, dedupeKey: emailsOf(told.id)[0] };
}

/** To an owner. The reason may be long and is someone's own words; the address of the asker stays on the page. */
export function requestArrivedEmail(
  told: EmailFacts & { hiddenFirst: boolean; guardian: boolean; reason: string; link: string; recipient: number },
): Email {
  const { hiddenFirst } = told;
  const brand = plain(told.brand);
  const rendered = renderEmail({
    subject: `Request to hide a photo: ${told.galleryName}`,
    preheader: hiddenFirst ? 'It is hidden until you decide.' : 'It is still shown. Please decide.',
    brand,
    body: h(
      Fragment,
      null,
      h(MailHeading, { children: 'Please hide this photo' }),
      h(MailParagraph, {
        children: `${told.guardian ? 'A parent or guardian, or the person in the picture,' : 'Someone'} asks you to hide a photo. ${
          hiddenFirst ? 'It is hidden until you decide.' : 'It is still shown.'
        }`,
      }),
      facts(told),
      ...told.reason
        .split(/\n\s*\n/)
        .map((text, index) => h(MailParagraph, { key: `p${index}`, children: `“${withoutLinks(text)}”` })),
      h(MailButton, { brand, href: told.link, children: 'Look at the request' }),
    ),
  });
  return { ...rendered, to: told.to, dedupeKey: arrivedKey(told.id, told.recipient) };
}

const ANSWERS: Record<Exclude<TakedownState, 'open'>, { heading: string; sentence: string }> = {
  hidden: { heading: 'The photo is hidden', sentence: 'No one can see it in the gallery anymore.' },
  deleted: { heading: 'The photo is deleted', sentence: 'It was permanently removed from the gallery.' },
  kept: { heading: 'The photo stays', sentence: 'reviewed your request and is keeping the photo in the gallery.' },
};

/** The answer, with the owners' note. */
export function requestDecidedEmail(
  told: EmailFacts & { state: Exclude<TakedownState, 'open'>; note: string; wasSold: boolean },
): Email {
  const { state, note } = told;
  const brand = plain(told.brand);
  const { heading, sentence } = ANSWERS[state];
  const rendered = renderEmail({
    subject: `${heading}: ${told.galleryName}`,
    preheader: `The answer of ${brand.name} to your request.`,
    brand,
    body: h(
      Fragment,
      null,
      h(MailHeading, { children: heading }),
      h(MailParagraph, { children: state === 'kept' ? `${brand.name} ${sentence}` : sentence }),
      ...(note === ''
        ? []
        : note
            .split(/\n\s*\n/)
            .map((text, index) => h(MailParagraph, { key: `n${index}`, children: `“${withoutLinks(text)}”` }))),
      facts(told),
      ...(state !== 'kept' && told.wasSold
        ? [
            h(MailParagraph, {
              key: 'sold',
              quiet: true,
              children: 'People who already bought it keep their copies.',
            }),
          ]
        : []),
    ),
  });
  return { ...rendered, to: told.to, dedupeKey: emailsOf(told.id)[1] };
}
