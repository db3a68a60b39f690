/** The email with links to a buyer's orders. */
import { FOUND_MONTHS } from '#src/features/find-my-order/find-orders.contract.ts';
import type { FoundOrder } from '#src/features/find-my-order/find-orders.sql.ts';
import { goodsText } from '#src/features/order-offers/sold-passes.rules.ts';
import { isDownloadable } from '#src/features/orders/orders.rules.ts';
import { MailButton, MailParagraph, writeEmail } from '#src/platform/mail/mail-kit.tsx';
import { withoutLinks, type Email } from '#src/platform/mail/mail.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { publicDay } from '#src/shared/dates.ts';
import { formatDollars } from '#src/shared/money.ts';
import type { OrderStatus } from '#src/features/orders/orders.contract.ts';

export function foundOrdersEmail(
  email: string,
  orders: readonly FoundOrder[],
  origin: SiteOrigin,
  dedupeKey: string,
): Email {
  const one = orders.length === 1;
  return writeEmail({
    to: email,
    dedupeKey,
    subject: one ? 'Your order' : `Your ${orders.length} orders`,
    preheader: 'Links to your photos and receipts.',
    footer: 'Sent by Sideline.',
    heading: one ? 'Here is your order' : 'Here are your orders',
    body: (
      <>
        <MailParagraph>
          Someone (we hope it was you) asked for the orders placed with {email} in the last {FOUND_MONTHS} months.
        </MailParagraph>
        {orders.map((order) => (
          <OrderOf key={order.id} order={order} origin={origin} />
        ))}
      </>
    ),
    smallPrint:
      'Didn’t request this? You can ignore this email. Anyone with these links can open the downloads, so keep them to yourself.',
  });
}

function OrderOf({ order, origin }: { order: FoundOrder; origin: SiteOrigin }) {
  const { seller } = order;
  const photos = order.photos === 1 && order.passes === 0 ? 'photo' : 'photos';
  const facts = [
    `Order ${order.id} of ${publicDay(order.createdAt, seller.timeZone)}`,
    goodsText(order),
    formatDollars(order.totalCents),
    STATUS_WORDS[order.status],
  ];
  return (
    <>
      <MailParagraph>
        <strong>{withoutLinks(seller.name)}</strong>
        <br />
        {facts.filter(Boolean).join(' · ')}
      </MailParagraph>
      <MailButton href={siteUrl(origin, seller.hostLabel, `/${seller.path}/order/${order.vanityId}`)}>
        Open your {isDownloadable(order.status) ? photos : 'order'}
      </MailButton>
    </>
  );
}

/** What is said about an order besides "paid". */
const STATUS_WORDS: Partial<Record<OrderStatus, string>> = {
  refunded: 'refunded',
  partially_refunded: 'partly refunded',
  disputed: 'disputed',
};
