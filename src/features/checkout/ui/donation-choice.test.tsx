// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, test } from 'vitest';
import { DonationChoice, donationText, NO_DONATION } from '#src/features/checkout/ui/donation-choice.tsx';
import type { DonationGallery } from '#src/features/orders/orders.contract.ts';
import { show } from '#tests/support/shown-screen.tsx';

const CUP: DonationGallery = { id: 7, name: 'Cup Final', goal: { recipient: 'new goals', target: 500, raised: 120 } };
const GALA: DonationGallery = { id: 8, name: 'Gala', goal: null };

function Choice({ galleries }: { galleries: readonly DonationGallery[] }) {
  const [donation, setDonation] = useState(NO_DONATION);
  return (
    <>
      <DonationChoice
        recipient="Hawks Soccer Club"
        donation={donation}
        galleries={galleries}
        galleryId={donation.galleryId ?? galleries[0]?.id ?? null}
        errors={undefined}
        onChange={setDonation}
      />
      <output>{donationText(donation)}</output>
    </>
  );
}
const sent = () => screen.getByRole('status').textContent;
const option = (name: string | RegExp) => screen.getByRole('radio', { name });

describe('a donation', () => {
  test('is none until the buyer chooses', () => {
    show(<Choice galleries={[GALA]} />);
    expect([sent(), (option('None') as HTMLInputElement).checked]).toEqual(['', true]);
  });

  test('is one of three amounts, or a custom one', async () => {
    const { user } = show(<Choice galleries={[GALA]} />);
    await user.click(option('$10.00'));
    expect(sent()).toBe('$10.00');
    expect(screen.queryByLabelText(/Your donation/)).toBeNull();
    await user.click(option('Custom'));
    await user.type(screen.getByLabelText(/Your donation/), '7.50');
    expect(sent()).toBe('7.50');
  });

  test('names the goal that it goes toward, or the seller', () => {
    show(<Choice galleries={[CUP]} />);
    expect(screen.getByText(/It goes toward new goals, together with your order\./)).toBeTruthy();
  });

  test('goes where the buyer wants when there is a goal among several galleries', async () => {
    const { user } = show(<Choice galleries={[CUP, GALA]} />);
    expect(screen.queryByText('Where should it go?')).toBeNull();
    await user.click(option('$5.00'));
    expect(screen.getByText('Cup Final: $120.00 raised of $500.00')).toBeTruthy();
    await user.click(option('Gala'));
    expect(screen.getByText(/It goes to Hawks Soccer Club/)).toBeTruthy();
  });

  test('has no choice of gallery if none has a goal', async () => {
    const { user } = show(<Choice galleries={[GALA, { ...GALA, id: 9 }]} />);
    await user.click(option('$5.00'));
    expect(screen.queryByText('Where should it go?')).toBeNull();
  });
});
