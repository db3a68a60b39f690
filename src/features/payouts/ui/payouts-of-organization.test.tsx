// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { createRoutesStub } from 'react-router';
import { expect, onTestFinished, test } from 'vitest';
import type { MemberPayoutsPage } from '#src/features/payouts/payouts.contract.ts';
import { PayoutsOfOrganization } from '#src/features/payouts/ui/payouts-of-organization.tsx';

const OUTLOOK = {
  paidCents: 0,
  onTheWayCents: 0,
  dueCents: 664,
  tooNewCents: 0,
  disputedCents: 0,
  nextDueAt: null,
  holdDays: 30,
  payee: { name: 'Hawks', address: null },
};
const PAYOUT = {
  id: 7,
  organization_id: 3,
  organization_name: 'Hawks',
  amount: 6.64,
  reference: null,
  order_count: 2,
  sales_from: null,
  sales_to: null,
  created_at: '2026-06-01T12:00:00Z',
  decided_at: '2026-06-02T12:00:00Z',
  returned_at: null,
} as const;

function show(payout: Pick<MemberPayoutsPage['payouts'][number], 'status' | 'reference' | 'returned_at'>): string {
  const first = { payouts: [{ ...PAYOUT, ...payout }], next: null };
  const about = { organizationId: 3, isParent: false, path: 'hawks', timeZone: 'America/Chicago' };
  const Page = createRoutesStub([
    { path: '/', Component: () => <PayoutsOfOrganization {...about} outlook={OUTLOOK} first={first} /> },
  ]);
  onTestFinished(cleanup);
  render(<Page />);
  return screen.getByRole('list', { name: 'Payouts' }).textContent ?? '';
}

test.each([
  ['is on its way', { status: 'created', reference: null, returned_at: null }, /2 orders\$6\.64$/],
  ['was paid', { status: 'paid', reference: 'ACH 4', returned_at: null }, /2 orders, reference ACH 4\$6\.64$/],
  [
    'has failed',
    { status: 'failed', reference: null, returned_at: null },
    /2 orders; it did not go through, and comes with a later payout\$6\.64$/,
  ],
  [
    'the bank returned',
    { status: 'returned', reference: 'ACH 4', returned_at: '2026-06-05T12:00:00Z' },
    /reference ACH 4; the bank returned it on 06\.05\.2026, and it comes with a later payout\$6\.64$/,
  ],
] as const)('a payout that %s says what becomes of its money', (_name, payout, words) => {
  expect(show(payout)).toMatch(words);
});
