import { describe, expect, test } from 'vitest';
import { receiptEmail } from '#src/features/orders/receipt.mail.tsx';
import type { Receipt } from '#src/features/orders/receipt.rules.ts';
import { siteOrigin } from '#src/shared/addresses.ts';

const line = (id: number) => ({
  id,
  orderKey: `secret-key-${id}`,
  photoId: id,
  galleryId: 10,
  priceCents: 400,
  singleCents: 400,
  offerId: null,
  name: `Goal ${id}`,
  isRevoked: false,
});
const receipt: Receipt = {
  id: 7,
  vanityId: 'AbCdEfGhIjKlMnOpQrStUv',
  status: 'paid',
  firstName: '<b>Maria</b>',
  lastName: 'J',
  email: 'm@j.co',
  subtotalCents: 800,
  taxCents: 66,
  taxRatePpm: 82_500,
  taxReason: 'Texas sales tax',
  donationCents: 500,
  totalCents: 1366,
  refundedCents: 0,
  donationGalleryId: 10,
  shareBps: 2000,
  processor: 'platform',
  kind: 'photos',
  creditCents: 0,
  creditReturnedCents: 0,
  soldCredit: null,
  card: { brand: 'visa', last4: '4242' },
  declineMessage: null,
  createdAt: new Date(0),
  seller: {
    id: 5,
    name: 'Hawks Soccer Club',
    path: 'hawks-soccer',
    parentId: 2,
    hostLabel: 'lakeside',
    accent: '#0B6E6E',
    taxId: '84-5512077',
    timeZone: 'America/New_York',
  },
  lines: [line(1), line(2)],
  offered: null,
  passes: [],
};
const emailOf = (changes: Partial<Receipt> = {}, origin = siteOrigin('sideline.localhost', 3000)) =>
  receiptEmail({ ...receipt, ...changes }, origin);

describe('the receipt email', () => {
  test('says what was bought, what it cost, and where to find it', () => {
    const { to, subject, text, dedupeKey } = emailOf();
    expect({ to, subject, dedupeKey }).toEqual({
      to: 'm@j.co',
      subject: 'Your photos from Hawks Soccer Club',
      dedupeKey: 'receipt-AbCdEfGhIjKlMnOpQrStUv',
    });
    for (const part of [
      'Goal 1',
      'Goal 2',
      '$4.00',
      'Taxes (Texas sales tax, 8.25%)',
      '$0.66',
      '$5.00',
      '$13.66',
      'Tax ID 84-5512077',
      'Visa ending in 4242',
      'Order 7',
    ])
      expect(text).toContain(part);
    expect(text).toContain('http://lakeside.sideline.localhost:3000/hawks-soccer/order/AbCdEfGhIjKlMnOpQrStUv');
    expect(text).toContain('Your images are ready for download!');
  });

  test('builds its address from configuration and database', () => {
    expect(emailOf({}, siteOrigin('sideline.example', 3000)).text).toContain(
      'https://lakeside.sideline.example/hawks-soccer/order/',
    );
  });

  test('escapes the buyer’s text and contains no download key', () => {
    const { html, text } = emailOf();
    expect(html).toContain('&lt;b&gt;Maria&lt;/b&gt;');
    expect(html + text).not.toContain('secret-key');
  });

  test('of one free photo mentions one photo, and no card', () => {
    const { text } = emailOf({
      lines: [{ ...line(1), priceCents: 0 }],
      subtotalCents: 0,
      taxCents: 0,
      donationCents: 0,
      totalCents: 0,
      card: null,
    });
    expect(text).toContain('Your image is ready to download!');
    expect(text).not.toMatch(/Paid with|Taxes|donation/);
    // Anyone can send it to anyone at no cost.
    expect(text).toContain('Thank you.');
    expect(text).not.toContain('Maria');
  });

  test('contains no link but its own, whatever its buyer, its seller and its photos are called', () => {
    const bad = 'Locked, visit http://evil.example/login or www.evil.example';
    const { subject, html, text } = emailOf({
      firstName: bad,
      lines: [{ ...line(1), name: 'evil.example/photo' }],
      seller: { ...receipt.seller, name: bad },
    });
    expect(`${subject} ${html} ${text}`).not.toContain('evil.example');
  });

  test('of many photos stays small enough for an email', () => {
    const { text } = emailOf({ lines: Array.from({ length: 200 }, (_, index) => line(index + 1)) });
    expect(text).toContain('and 170 more');
    expect(text).toContain('$680.00');
    expect(text).not.toContain('Goal 31');
  });
});
