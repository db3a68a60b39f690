/** Emails about an account's plan: receipt, renewal notice, declined card, end. */
import type { Subscriber } from '#src/features/billing/subscriptions.sql.ts';
import { FREE_PLAN, PREMIUM_PLAN } from '#src/features/tenancy/plans.rules.ts';
import { cardName } from '#src/features/billing/subscriptions.rules.ts';
import { MailFacts, MailParagraph, writeEmail, type EmailContent } from '#src/platform/mail/mail-kit.tsx';
import { withoutLinks, type Email } from '#src/platform/mail/mail.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { publicDay } from '#src/shared/dates.ts';
import { formatDollars } from '#src/shared/money.ts';

type Payer = { name: string; email: string };
type MailCard = { brand: string | null; last4: string | null };
type About = { payer: Payer; subscriber: Subscriber; origin: SiteOrigin };

type Content = Pick<EmailContent, 'subject' | 'preheader' | 'smallPrint' | 'dedupeKey'> & {
  heading: string;
  paragraphs: readonly string[];
  facts?: { rows: readonly { name: string; value: string }[]; sumLast?: boolean };
  /** Of the page that the button opens. */
  path: string;
  label: string;
};

/** The sender is the platform, not the club. */
function write({ payer, subscriber, origin }: About, { paragraphs, facts, path, label, ...content }: Content): Email {
  return writeEmail({
    ...content,
    to: payer.email,
    footer: 'Sent by Sideline, the home of your photo galleries.',
    heading: withoutLinks(content.heading),
    body: (
      <>
        {paragraphs.map((text) => (
          <MailParagraph key={text}>{withoutLinks(text)}</MailParagraph>
        ))}
        {facts && <MailFacts {...facts} />}
      </>
    ),
    button: { label, href: siteUrl(origin, subscriber.hostLabel, path) },
  });
}

const firstName = (payer: Payer) => payer.name.trim().split(/\s+/)[0] || 'there';
const settingsPath = ({ path }: Subscriber) => `/${path}/settings#plan`;
const toDashboard = ({ path }: Subscriber) => ({ path: `/${path}/dashboard`, label: 'Open your dashboard' });

/** Sent once per payment. */
export function accountReceiptEmail(
  about: About,
  paid: {
    paymentId: number;
    kind: 'sign_up' | 'upgrade' | 'renewal';
    amountCents: number;
    card: MailCard;
    period: { start: Date; end: Date };
  },
): Email {
  const { subscriber, payer } = about;
  const day = (moment: Date) => publicDay(moment, subscriber.timeZone);
  const isRenewal = paid.kind === 'renewal';
  return write(about, {
    subject: `Your receipt: Sideline ${PREMIUM_PLAN.name} for ${subscriber.name}`,
    preheader: `${formatDollars(paid.amountCents)} for a year of ${PREMIUM_PLAN.name}, until ${day(paid.period.end)}.`,
    heading: isRenewal ? `Another year, ${firstName(payer)}.` : `Thank you, ${firstName(payer)}.`,
    paragraphs: [
      isRenewal
        ? `${subscriber.name} stays on the ${PREMIUM_PLAN.name} plan: as many galleries and photos as the season brings.`
        : `${subscriber.name} is on the ${PREMIUM_PLAN.name} plan now: as many galleries and photos as the season brings.`,
    ],
    facts: {
      rows: [
        { name: 'Plan', value: `Sideline ${PREMIUM_PLAN.name}, one year` },
        { name: 'Account', value: withoutLinks(subscriber.name) },
        { name: 'From', value: day(paid.period.start) },
        { name: 'Until', value: day(paid.period.end) },
        { name: 'Paid with', value: cardName(paid.card) },
        { name: 'Total', value: formatDollars(paid.amountCents) },
      ],
      sumLast: true,
    },
    ...toDashboard(subscriber),
    smallPrint: `Payment ${paid.paymentId}. The plan renews on ${day(paid.period.end)} with the same card, unless you stop it in your settings. We’ll email you two weeks before.`,
    dedupeKey: `account-receipt-${paid.paymentId}`,
  });
}

/**
 * Sent once per period, two weeks before it ends. `resumedAt`: also each time that a stopped plan is to renew after all, whose
 * payer got an email that the card is not charged again.
 */
export function renewalNoticeEmail(
  about: About,
  plan: { subscriptionId: number; priceCents: number; periodEnd: Date; card: MailCard; resumedAt?: Date },
): Email {
  const { subscriber, payer } = about;
  const day = publicDay(plan.periodEnd, subscriber.timeZone);
  return write(about, {
    subject: `Sideline ${PREMIUM_PLAN.name} for ${subscriber.name} renews on ${day}`,
    preheader: `${formatDollars(plan.priceCents)} will be charged to ${cardName(plan.card)}.`,
    heading: plan.resumedAt ? 'Your plan renews after all.' : 'Your next season is coming up.',
    paragraphs: [
      `Hello ${firstName(payer)}, the ${PREMIUM_PLAN.name} plan of ${subscriber.name} renews on ${day}. You don’t need to do anything.`,
    ],
    facts: {
      rows: [
        { name: 'Charged on', value: day },
        { name: 'Charged to', value: cardName(plan.card) },
        { name: 'For one year', value: formatDollars(plan.priceCents) },
      ],
      sumLast: true,
    },
    path: settingsPath(subscriber),
    label: 'Open your plan',
    smallPrint: 'If you don’t want to renew, stop it in your settings, under Plan, before that day.',
    dedupeKey: `renewal-notice-${plan.subscriptionId}-${(plan.resumedAt ?? plan.periodEnd).toISOString()}`,
  });
}

/** Sent for each declined try while others follow. */
export function renewalDeclinedEmail(
  about: About,
  refused: {
    subscriptionId: number;
    periodEnd: Date;
    declines: number;
    words: string;
    card: MailCard;
    nextTry: Date;
  },
): Email {
  const { subscriber, payer } = about;
  const next = publicDay(refused.nextTry, subscriber.timeZone);
  return write(about, {
    subject: `We could not renew Sideline ${PREMIUM_PLAN.name} for ${subscriber.name}`,
    preheader: `We’ll try ${cardName(refused.card)} again on ${next}. Until then, nothing changes.`,
    heading: 'Your card was declined.',
    paragraphs: [
      `Hello ${firstName(payer)}, the ${PREMIUM_PLAN.name} plan of ${subscriber.name} is due, and the payment with ${cardName(refused.card)} did not go through. The card provider said: “${refused.words}”`,
      `We’ll try again on ${next}. Until then, nothing changes.`,
    ],
    ...toDashboard(subscriber),
    smallPrint: `If the card is declined again, the account goes back to the ${FREE_PLAN.name} plan. No galleries or photos are deleted.`,
    dedupeKey: `renewal-declined-${refused.subscriptionId}-${refused.periodEnd.toISOString()}-${refused.declines}`,
  });
}

/** Sent when a member has stopped the renewal. */
export function renewalStoppedEmail(
  about: About,
  stopped: { subscriptionId: number; stoppedAt: Date; periodEnd: Date },
): Email {
  const { subscriber, payer } = about;
  const day = publicDay(stopped.periodEnd, subscriber.timeZone);
  return write(about, {
    subject: `Sideline ${PREMIUM_PLAN.name} for ${subscriber.name} will not renew`,
    preheader: `It stays until ${day}. Your card is not charged again.`,
    heading: 'Your plan will not renew.',
    paragraphs: [
      `Hello ${firstName(payer)}, the ${PREMIUM_PLAN.name} plan of ${subscriber.name} ends on ${day}, and your card is not charged again. Until then, nothing changes.`,
      `Then the account is on the ${FREE_PLAN.name} plan. No galleries or photos are deleted, and families can keep buying.`,
    ],
    path: settingsPath(subscriber),
    label: 'Open your plan',
    smallPrint: 'You can let it renew after all until that day.',
    dedupeKey: `renewal-stopped-${stopped.subscriptionId}-${stopped.stoppedAt.toISOString()}`,
  });
}

/** Sent when the account has moved back to the free tier. `words`: those of the last decline; null if it was stopped. */
export function subscriptionEndedEmail(about: About, ended: { subscriptionId: number; words: string | null }): Email {
  const { subscriber, payer } = about;
  const why =
    ended.words === null
      ? `the year of ${PREMIUM_PLAN.name} for ${subscriber.name} is over, and its renewal was stopped in the settings. The account is on the ${FREE_PLAN.name} plan again.`
      : `the yearly payment for ${subscriber.name} did not go through, so the account is on the ${FREE_PLAN.name} plan again. The card provider said: “${ended.words}”`;
  return write(about, {
    subject: `${subscriber.name} is back on the Sideline ${FREE_PLAN.name} plan`,
    preheader: 'All galleries and photos are still there.',
    heading: `Back on the ${FREE_PLAN.name} plan.`,
    paragraphs: [
      `Hello ${firstName(payer)}, ${why}`,
      `All your galleries and photos are still there, and families can keep buying. The limits of the ${FREE_PLAN.name} plan apply to new galleries and photos only.`,
    ],
    path: `/${subscriber.path}/upgrade-account`,
    label: `Upgrade to ${PREMIUM_PLAN.name} again`,
    dedupeKey: `subscription-ended-${ended.subscriptionId}-${payer.email}`,
  });
}
