/** Names that users type appear in emails to others: none of them may become a link there (decision record 0035). */
import { expect, test } from 'vitest';
import * as members from '#src/features/members/members.mail.tsx';
import { emailChangedEmail } from '#src/features/sign-in/email-changes.mail.tsx';
import * as passwords from '#src/features/sign-in/passwords.mail.tsx';
import * as billing from '#src/features/billing/billing.mail.tsx';
import * as collaborators from '#src/features/collaborators/collaborators.mail.tsx';
import { contributionsArrivedEmail } from '#src/features/contributors/contributions.mail.tsx';
import { foundOrdersEmail } from '#src/features/find-my-order/find-orders.mail.tsx';
import { welcomeEmail } from '#src/features/office/new-org.mail.tsx';
import { keysChangedEmail } from '#src/features/settings/settings.mail.tsx';
import * as payouts from '#src/features/payouts/payouts.mail.tsx';
import { statementReadyEmail } from '#src/features/statements/statements.mail.tsx';
import { webhookPausedEmail } from '#src/features/webhooks/webhooks.mail.tsx';
import type { Email } from '#src/platform/mail/mail.ts';
import { siteOrigin } from '#src/shared/addresses.ts';
import { cents } from '#src/shared/money.ts';

const TYPED = 'http://evil.example/win';
const LINK = 'https://lakeside.sideline.test/hawks';
const to = { firstName: TYPED, email: 'parent@families.test' };
const place = { name: `Hawks ${TYPED}`, primaryColor: '#0B6E6E' };
const brand = { name: place.name, accent: '#0B6E6E' };
const origin = siteOrigin('sideline.test', 443);
const day = new Date('2026-05-09T12:00:00Z');
const card = { brand: 'visa', last4: '4242' };
const about = {
  payer: { name: TYPED, email: to.email },
  subscriber: {
    id: 5,
    name: place.name,
    path: 'hawks',
    hostLabel: 'www',
    freeTier: false,
    accent: '#0B6E6E',
    timeZone: 'America/Chicago',
    isDeleted: false,
  },
  origin,
};
const told = { id: 1, to: to.email, organizationName: place.name, amountCents: 100, orderCount: 1, link: LINK };
const order = {
  id: 7,
  vanityId: 'AbCdEfGhIjKlMnOpQrStUv',
  status: 'paid',
  email: to.email,
  totalCents: 400,
  createdAt: day,
  photos: 1,
  passes: 0,
  seller: { name: place.name, path: 'hawks', hostLabel: 'www', timeZone: 'America/Chicago' },
} as const;

const sentEmails: Record<string, Email> = {
  'access given': members.accessGivenEmail(to, place, LINK, 'k'),
  'access taken': members.accessTakenEmail(to, place, 'k'),
  'choose a new password': passwords.resetEmail(to, LINK, 'k'),
  invitation: passwords.invitationEmail(to, place.name, LINK, 'k'),
  'webhook paused': webhookPausedEmail(to, place, { host: 'hooks.club.org', link: LINK, dedupeKey: 'k' }),
  'password changed': passwords.passwordChangedEmail(to, LINK, 'k'),
  'email changed': emailChangedEmail(to, LINK, 'k'),
  'guessed at': passwords.guessedAtEmail(to, LINK, 'k'),
  'new organization': welcomeEmail({
    to,
    organizationName: place.name,
    address: LINK,
    loginLink: LINK,
    forgotLink: LINK,
    dedupeKey: 'k',
  }),
  'keys changed': keysChangedEmail(to, place, 'k'),
  'found orders': foundOrdersEmail(to.email, [order], origin, 'k'),
  'account receipt': billing.accountReceiptEmail(about, {
    paymentId: 1,
    kind: 'upgrade',
    amountCents: 100,
    card,
    period: { start: day, end: day },
  }),
  'renewal notice': billing.renewalNoticeEmail(about, { subscriptionId: 1, priceCents: 100, periodEnd: day, card }),
  'renewal declined': billing.renewalDeclinedEmail(about, {
    subscriptionId: 1,
    periodEnd: day,
    declines: 1,
    words: 'No.',
    card,
    nextTry: day,
  }),
  'subscription ended': billing.subscriptionEndedEmail(about, { subscriptionId: 1, words: 'No.' }),
  invite: collaborators.inviteEmail({
    to: to.email,
    invitedBy: TYPED,
    gallery: TYPED,
    brand,
    link: LINK,
    termsLink: LINK,
    licenseLink: LINK,
    dedupeKey: 'k',
  }),
  'photos arrived': contributionsArrivedEmail({
    to: to.email,
    gallery: TYPED,
    waiting: 2,
    brand,
    link: LINK,
    dedupeKey: 'k',
  }),
  'payout sent': payouts.payoutPaidEmail({
    ...told,
    reference: 'R',
    salesFrom: day,
    salesTo: day,
    timeZone: 'America/Chicago',
  }),
  'payout returned': payouts.payoutReturnedEmail({ ...told, reference: 'R', reason: 'No.', billingLink: LINK }),
  'payout failed': payouts.payoutFailedEmail({ ...told, reason: 'No.', recipient: 1 }),
  statement: statementReadyEmail(to.email, {
    organization: { id: 5, name: place.name, accent: brand.accent },
    month: '2026-05',
    openingCents: cents(0),
    earnedCents: cents(100),
    paidOutCents: cents(0),
    closingCents: cents(100),
    link: LINK,
  }),
};

test.each(Object.entries(sentEmails))('%s', (_name, { subject, html, text }) => {
  expect(`${subject}\n${html}\n${text}`).not.toContain('evil.example');
  if (html.includes('<a ')) expect(text).toContain('sideline.test');
});
