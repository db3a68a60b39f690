/** The email that leads a buyer back to what they bought. */
import { createElement as h, Fragment } from 'react';
import { FOUND_MONTHS } from '#src/features/find-my-order/find-orders.contract.ts';
import { standingWord, type FoundOrder } from '#src/features/find-my-order/found-order.rules.ts';
import { isDownloadable } from '#src/features/orders/receipt.rules.ts';
import { withoutLinks } from '#src/platform/mail/foreign-words.ts';
import { MailButton, MailHeading, MailParagraph, renderEmail } from '#src/platform/mail/mail-kit.ts';
import type { Email } from '#src/platform/mail/mail.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { publicDay } from '#src/shared/dates.ts';
import { cents, formatDollars } from '#src/shared/money.ts';

const BRAND = { name: 'Sideline', accent: '#0099CC' };

export function foundOrdersEmail(
  email: string,
  orders: readonly FoundOrder[],
  origin: SiteOrigin,
  dedupeKey: string,
): Email {
  const one = orders.length === 1;
  const rendered = renderEmail({
    subject: one ? 'Your order' : `Your ${orders.length} orders`,
    preheader: 'Links to your photos and receipts.',
    brand: BRAND,
    footer: 'Sent by Sideline.',
    body: h(
      Fragment,
      null,
      h(MailHeading, { children: one ? 'Here is your order' : 'Here are your orders' }),
      h(MailParagraph, {
        children: `Someone (we hope it was you) asked for the orders placed with ${email} in the last ${FOUND_MONTHS} months.`,
      }),
      ...orders.map((order) => h(OrderOf, { key: order.id, order, origin })),
      h(MailParagraph, {
        quiet: true,
        children:
          'Didn’t request this? You can ignore this email. Anyone with these links can open the downloads, so keep them to yourself.',
      }),
    ),
  });
  return { ...rendered, to: email, dedupeKey };
}

function OrderOf({ order, origin }: { order: FoundOrder; origin: SiteOrigin }) {
  const { seller, photos } = order;
  const said = [
    `Order ${order.id} of ${publicDay(order.createdAt)}`,
    photos === 1 ? '1 photo' : `${photos} photos`,
    formatDollars(cents(order.totalCents)),
    standingWord(order.status),
  ];
  return h(
    Fragment,
    null,
    h(MailParagraph, {
      children: h(
        Fragment,
        null,
        h('strong', null, withoutLinks(seller.name)),
        h('br'),
        said.filter(Boolean).join(' · '),
      ),
    }),
    h(MailButton, {
      brand: BRAND,
      href: siteUrl(origin, seller.hostLabel, `/${seller.path}/order/${order.vanityId}`),
      children: isDownloadable(order.status)
        ? photos === 1
          ? 'Open your photo'
          : 'Open your photos'
        : 'Open your order',
    }),
  );
}
