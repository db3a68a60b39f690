import { expect, test } from 'vitest';
import { postings, type CreditPart, type Sale } from '#src/features/ledger/ledger.rules.ts';
import { cents } from '#src/shared/money.ts';

const [SELLER, PARENT] = [7, 3];
/** The example of the offers specification: 6 photos for $15.20 with tax of $1.25; the platform's share is 20 %. */
const example = (credit: CreditPart[] = []): Sale => ({
  orderId: 1,
  organizationId: SELLER,
  subtotalCents: cents(1520),
  taxCents: cents(125),
  donationCents: cents(0),
  shareBps: 2000,
  feeCents: null,
  credit,
});
const credit = (amount: number, more: Partial<CreditPart> = {}): CreditPart => ({
  organizationId: SELLER,
  amountCents: cents(amount),
  isHeld: true,
  ...more,
});

const accounts = ({
  entries,
}: {
  entries: readonly { kind: string; organizationId: number | null; amountCents: number }[];
}) => {
  expect(entries.reduce((sum, entry) => sum + entry.amountCents, 0)).toBe(0);
  return Object.fromEntries(
    entries.map(({ kind, organizationId, amountCents }) => [
      organizationId === null || organizationId === SELLER ? kind : `${kind} of ${organizationId}`,
      amountCents,
    ]),
  );
};

test.each([
  [
    'by card',
    postings.sale(example()),
    { provider_clearing: 1567, tax_payable: -125, platform_fee: -304, org_payable: -1138 },
  ],
  [
    'credit sold',
    postings.creditSale({ orderId: 1, organizationId: SELLER, amountCents: cents(2500), feeCents: null }),
    { provider_clearing: 2397, org_payable: 103, credit_liability: -2500 },
  ],
  [
    'paid with credit',
    postings.sale(example([credit(1645)])),
    { credit_liability: 1645, tax_payable: -125, platform_fee: -304, org_payable: -1216 },
  ],
  [
    'paid partly',
    postings.sale(example([credit(1595)])),
    { credit_liability: 1595, provider_clearing: 19, tax_payable: -125, platform_fee: -304, org_payable: -1185 },
  ],
  [
    'a parent’s credit spent at its child',
    postings.sale(example([credit(1645, { organizationId: PARENT })])),
    { 'credit_liability of 3': 1645, tax_payable: -125, platform_fee: -304, org_payable: -1216 },
  ],
  [
    'own processor: sold and spent there',
    postings.ownAccountSale(example([credit(1645, { isHeld: false })])),
    { provider_clearing: 304, platform_fee: -304 },
  ],
  [
    'own processor: credit from before, that we hold',
    postings.ownAccountSale(example([credit(1645)])),
    { credit_liability: 1645, provider_clearing: 304, platform_fee: -304, org_payable: -1645 },
  ],
  [
    'credit of the seller’s own account, spent after it came to ours',
    postings.sale(example([credit(1645, { isHeld: false })])),
    { org_payable: 429, tax_payable: -125, platform_fee: -304 },
  ],
])('%s: each ledger entry, to the cent', (_name, posting, wanted) => {
  expect(accounts(posting)).toEqual(wanted);
});

test('a refund returns credit to its codes and takes nothing from the card', () => {
  const all = { beforeCents: cents(0), afterCents: cents(1645), ownAccount: false };
  expect(accounts(postings.refund(example(), { ...all, toCredit: [credit(1645)] }))).toEqual({
    credit_liability: -1645,
    tax_payable: 125,
    platform_fee: 304,
    org_payable: 1216,
  });
  expect(
    accounts(postings.refund(example(), { ...all, ownAccount: true, toCredit: [credit(1645, { isHeld: false })] })),
  ).toEqual({
    provider_clearing: -304,
    platform_fee: 304,
  });
});

test('credit that was spent before its charge was refunded is the seller’s loss', () => {
  const refunded = { beforeCents: cents(0), afterCents: cents(2500), unusedCents: cents(855) };
  expect(accounts(postings.creditRefund({ orderId: 1, organizationId: SELLER }, refunded))).toEqual({
    provider_clearing: -2500,
    credit_liability: 855,
    org_payable: 1645,
  });
});
