import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { describe, expect, test } from 'vitest';
import type { OrderAnswer } from '#src/features/orders/orders.contract.ts';
import { orderHeading } from '#src/features/orders/receipt.rules.ts';
import { CreditBlock } from '#src/features/credit-shop/ui/credit-block.tsx';
import { OrderReceipt, OrderStatusNote } from '#src/features/order-pages/ui/order-receipt.tsx';

const PAID: OrderAnswer = {
  id: 61,
  vanity_id: 'sN5JaT9GZSr1hglxwPanwg',
  status: 'paid',
  error: null,
  first_name: 'Ruth',
  last_name: 'Miller',
  email_address: 'ruth@families.test',
  subtotal: 12,
  tax: 0,
  additional_donation: '$0.00',
  total: 12,
  refunded: 0,
  created_at: '2026-11-22T12:00:00Z',
  organization: { id: 3, name: 'Hawks Soccer Club', tax_id: null, time_zone: 'America/New_York' },
  goals: [],
  order_photo: [],
  stripe_token: null,
  stripe_token_full: null,
};

const GIFT = {
  name: 'Grandma',
  email: 'grandma@families.test' as string | null,
  message: '',
  send_on: '2026-12-01',
  sent: true,
  returned: false,
  opened: false,
};

/** The text of an order's page, without its photos. */
function wordsOf(changes: Partial<OrderAnswer>): string {
  const order = { ...PAID, ...changes };
  const html = renderToStaticMarkup(
    <MemoryRouter>
      <OrderStatusNote order={order} sellerPath="hawks-soccer" />
      <h1>{orderHeading(order)}</h1>
      {order.credit_sold && (
        <CreditBlock
          order={order}
          sold={order.credit_sold}
          sellerPath="hawks-soccer"
          address="hawks.example"
          today="2026-12-01"
          onReaddressed={() => {}}
        />
      )}
      <OrderReceipt order={order} />
    </MemoryRouter>,
  );
  return html.replace(/<[^>]+>/g, '|').replace(/\|+/g, '|');
}

describe('an order', () => {
  test('that is paid has a confirmation and a receipt', () => {
    expect(wordsOf({})).toContain('|Order Confirmation|');
    expect(wordsOf({})).toContain('|Receipt|');
  });

  test.each([
    ['America/New_York', '01.01.2027'],
    ['Pacific/Honolulu', '12.31.2026'],
    ['Pacific/Guam', '01.01.2027'],
  ])('has the day of its seller, in %s', (zone, day) => {
    const organization = { ...PAID.organization, time_zone: zone };
    expect(wordsOf({ created_at: '2027-01-01T06:30:00Z', organization })).toContain(`|Date|${day}|`);
  });

  test('says what its tax is for', () => {
    const words = wordsOf({ tax: 0.83, tax_text: 'Minnesota sales tax, 6.875%', total: 12.83 });
    expect(words).toContain('|Taxes|Minnesota sales tax, 6.875%|$0.83|');
  });

  test.each(['pending', 'failed'] as const)('that is %s has neither', (status) => {
    const words = wordsOf({ status });
    expect(words).toContain('|Your order|');
    expect(words).not.toContain('Order Confirmation');
    expect(words).not.toContain('|Receipt|');
  });

  test('whose payment is being confirmed promises a receipt only for a payment that goes through', () => {
    expect(wordsOf({ status: 'pending' })).toContain(
      'we’ll email your receipt to ruth@families.test when the payment goes through. If it does not, you are not charged.',
    );
  });

  test.each([
    ['Your card was declined.', 'Your card was declined.| You were not charged. Your cart is kept'],
    [null, 'The payment was not completed.| You were not charged. Your cart is kept'],
    [
      'Payment service unavailable, you were not charged.',
      'Payment service unavailable, you were not charged.| Your cart is kept',
    ],
  ])('that failed with %j says once that nothing was charged', (error, words) => {
    expect(wordsOf({ status: 'failed', error })).toContain(words);
  });

  test('that credit and a card paid says what each paid', () => {
    const words = wordsOf({
      total: 27,
      stripe_token_full: '{"card":{"brand":"visa","last4":"4242"}}',
      credit: [
        { last4: '7K3M', amount: 20 },
        { last4: '9AVG', amount: 5 },
      ],
    });
    expect(words).toContain('|Paid with credit ••••7K3M|−$20.00|');
    expect(words).toContain('|Charged to the card|$2.00|');
  });

  test('with offers says how its price was made before anything is unfolded', () => {
    const words = wordsOf({ pricing: [{ text: 'Any 5 for $15.00, 5 photos', amount: 15 }] });
    expect(words).toContain('|How your price is made|Any 5 for $15.00, 5 photos|$15.00|Receipt|');
  });

  test('that was partly refunded says how much', () => {
    const words = wordsOf({ status: 'partially_refunded', refunded: 4 });
    expect(words).toContain('|$4.00 of this order was refunded.');
    expect(words).toContain('|$12.00, $4.00 refunded|');
  });

  test.each<[what: string, changes: Partial<typeof GIFT>, words: string, mayChange: boolean]>([
    ['that was sent', {}, 'We emailed it to Grandma (grandma@families.test).', true],
    ['that came back', { returned: true }, 'We could not deliver the email to Grandma (grandma@families.test).', true],
    ['of today', { sent: false }, 'We are emailing it to Grandma (grandma@families.test) now.', true],
    ['of later', { sent: false, send_on: '2026-12-24' }, 'We’ll email it to Grandma (grandma@families.test) on', true],
    ['that was opened', { opened: true }, 'Grandma has opened it.', false],
    ['whose receiver is forgotten', { name: '', email: null }, 'We sent it by email.', false],
  ])('of a gift %s says so', (_what, changes, text, mayChange) => {
    const gift = { ...GIFT, ...changes };
    const credit = { code: 'ABCD-EFGH-JKMN-PQRS', last4: 'PQRS', amount: 100, bonus: 0, bonus_until: null, gift };
    const words = wordsOf({ credit_sold: credit });
    expect(words).toContain(`|${text}`);
    expect(words.includes('|Change the address|')).toBe(mayChange);
  });

  const CREDIT = { code: 'ABCD-EFGH-JKMN-PQRS', last4: 'PQRS', amount: 50, bonus: 10, gift: GIFT };

  test.each<[left: number, until: string | null, texts: string[], isCard: boolean]>([
    [
      0,
      null,
      ['|$20.00 of this order was refunded. Code ••••PQRS is empty.|', '|Nothing is left of this credit|'],
      false,
    ],
    [8, null, ['refunded. $8.00 is left on code ••••PQRS.|', '|Your gift is ready, Ruth|', '|$8.00|for photos'], true],
    [18, '2026-12-24', ['|$18.00|for photos', 'Any bonus in it ends on 12.24.2026.'], true],
  ])(
    'of credit that was partly refunded shows what is left: %f dollars, with a bonus until %s',
    (left, until, texts, isCard) => {
      const sold = { ...CREDIT, bonus_until: until, left };
      const words = wordsOf({ status: 'partially_refunded', refunded: 20, total: 50, credit_sold: sold });
      for (const text of texts) expect(words).toContain(text);
      expect(words.includes('|Print the card|')).toBe(isCard);
      expect(words).not.toContain('$60.00');
    },
  );

  test.each([
    ['2026-12-01', '|$60.00|', '$10.00 of it is a bonus, until 12.01.2026. What was paid never expires.'],
    ['2026-11-30', '|$50.00|', 'Any balance stays on it. What was paid never expires.'],
  ])('of credit with a bonus until %s is worth %s', (until, amount, text) => {
    const words = wordsOf({ credit_sold: { ...CREDIT, bonus_until: until } });
    expect(words).toContain(amount);
    expect(words.replace(/\s+/g, ' ')).toContain(text);
  });

  test('of a gift with a dispute shows the card with what it still pays, and says that it is not emailed', () => {
    const gift = { ...GIFT, send_on: '2026-12-24', sent: false };
    const credit = { code: 'ABCD-EFGH-JKMN-PQRS', last4: 'PQRS', amount: 100, bonus: 10, bonus_until: null, gift };
    const words = wordsOf({ status: 'disputed', credit_sold: { ...credit, left: 108.9 } });
    expect(words).toContain('|A part of this credit is disputed|');
    expect(words).toContain('|$108.90|for photos, for Grandma|');
    expect(words).toContain('|ABCD-EFGH-JKMN-PQRS|');
    expect(words).not.toContain('bonus');
    expect(words).toContain('|We don’t email it while its payment is disputed. Please print the card.|');
    const empty = wordsOf({ status: 'disputed', credit_sold: { ...credit, code: null } });
    expect(empty).toContain('|This order is on hold|');
    expect(empty).not.toContain('Print the card');
  });
});
