/** A little more for the team: $5, $10, $20 or an amount of one's own (specification P§9). */
import { parseDonation, DONATION_NOT_VALID } from '#src/features/orders/orders.contract.ts';
import { cx } from '#src/ui/cx.ts';
import { MoneyField } from '#src/ui/money-field.tsx';

export const DONATION_PRESETS = ['$5.00', '$10.00', '$20.00'] as const;

export type Donation = { choice: 'none' | 'custom' | (typeof DONATION_PRESETS)[number]; custom: string };
export const NO_DONATION: Donation = { choice: 'none', custom: '' };

/** The text that goes with the order; blank is no donation. */
export function donationText(donation: Donation): string {
  if (donation.choice === 'none') return '';
  return donation.choice === 'custom' ? donation.custom : donation.choice;
}

type DonationChoiceProps = { recipient: string; donation: Donation; onChange: (donation: Donation) => void };

const OPTIONS: readonly { value: Donation['choice']; label: string }[] = [
  { value: 'none', label: 'None' },
  ...DONATION_PRESETS.map((preset) => ({ value: preset, label: preset })),
  { value: 'custom', label: 'Custom' },
];

export function DonationChoice({ recipient, donation, onChange }: DonationChoiceProps) {
  const isWrong = donation.choice === 'custom' && parseDonation(donation.custom) === null;
  return (
    <fieldset>
      <legend className="font-display text-lg font-semibold">Add a donation</legend>
      <p className="mt-1 text-sm text-pretty text-quiet">It goes to {recipient}, together with your order.</p>
      <div className="mt-3 grid max-w-md grid-cols-3 gap-1.5 min-[360px]:grid-cols-5">
        {OPTIONS.map(({ value, label }) => (
          <label
            key={value}
            className={cx(
              'flex min-h-11 cursor-pointer items-center justify-center rounded border px-1 text-sm font-semibold tabular-nums has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text',
              donation.choice === value
                ? 'border-accent-text bg-accent-tint text-ink'
                : 'border-line-strong bg-surface',
            )}
          >
            <input
              type="radio"
              name="donation"
              value={value}
              checked={donation.choice === value}
              onChange={() => onChange({ ...donation, choice: value })}
              className="sr-only"
            />
            {label}
          </label>
        ))}
      </div>
      {donation.choice === 'custom' && (
        <div className="mt-4 max-w-48">
          <MoneyField
            label="Your donation"
            value={donation.custom}
            errors={isWrong ? [DONATION_NOT_VALID] : []}
            onChange={(event) => onChange({ ...donation, custom: event.target.value })}
          />
        </div>
      )}
    </fieldset>
  );
}
