/** A donation of $5, $10, $20 or a custom amount (specification P§9), for the goal that the buyer chooses (rule 60). */
import { DONATION_PRESETS, type DonationGallery } from '#src/features/orders/orders.contract.ts';
import { dollarText } from '#src/shared/money.ts';
import { cx } from '#src/ui/cx.ts';
import { MoneyField } from '#src/ui/form/money-field.tsx';

type Donation = {
  choice: 'none' | 'custom' | (typeof DONATION_PRESETS)[number];
  custom: string;
  /** Null until the buyer chooses. */
  galleryId: number | null;
};
export const NO_DONATION: Donation = { choice: 'none', custom: '', galleryId: null };

/** The text that is sent with the order; blank means no donation. */
export function donationText(donation: Donation): string {
  if (donation.choice === 'none') return '';
  return donation.choice === 'custom' ? donation.custom : donation.choice;
}

type DonationChoiceProps = {
  recipient: string;
  donation: Donation;
  /** The cart's galleries. With several, of which one has a goal, the buyer chooses. */
  galleries: readonly DonationGallery[];
  /** The gallery that gets the donation: the chosen one, else the default. */
  galleryId: number | null;
  errors: readonly string[] | undefined;
  onChange: (donation: Donation) => void;
};

const OPTIONS: readonly { value: Donation['choice']; label: string }[] = [
  { value: 'none', label: 'None' },
  ...DONATION_PRESETS.map((preset) => ({ value: preset, label: preset })),
  { value: 'custom', label: 'Custom' },
];

const OPTION =
  'flex min-h-11 cursor-pointer rounded border text-sm has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text';
const optionStyle = (isChosen: boolean) =>
  isChosen ? 'border-accent-text bg-accent-tint text-ink' : 'border-line-strong bg-surface';

export function DonationChoice({ recipient, donation, galleries, galleryId, errors, onChange }: DonationChoiceProps) {
  const mayChoose = galleries.length > 1 && galleries.some(({ goal }) => goal !== null);
  const goesTo = galleries.find(({ id }) => id === galleryId);
  return (
    <div className="flex flex-col gap-4">
      <fieldset>
        <legend className="font-display text-lg font-semibold">Add a donation</legend>
        <p className="mt-1 text-sm text-pretty text-quiet">
          It goes {goesTo?.goal ? `toward ${goalName(goesTo)}` : `to ${recipient}`}, together with your order.
        </p>
        <div className="mt-3 flex max-w-md flex-wrap gap-1.5">
          {OPTIONS.map(({ value, label }) => (
            <label
              key={value}
              className={cx(
                OPTION,
                'grow basis-[3.9rem] items-center justify-center px-1 font-semibold tabular-nums',
                optionStyle(donation.choice === value),
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
              name="donation_amount"
              enterKeyHint="next"
              value={donation.custom}
              errors={errors}
              onChange={(event) => onChange({ ...donation, custom: event.target.value })}
            />
          </div>
        )}
      </fieldset>
      {mayChoose && donation.choice !== 'none' && (
        <fieldset>
          <legend className="text-sm font-semibold">Where should it go?</legend>
          <div className="mt-1.5 flex max-w-md flex-col gap-1.5">
            {galleries.map((gallery) => (
              <label
                key={gallery.id}
                className={cx(OPTION, 'items-start gap-3 p-3', optionStyle(gallery.id === galleryId))}
              >
                <input
                  type="radio"
                  name="donation_gallery"
                  value={gallery.id}
                  checked={gallery.id === galleryId}
                  onChange={() => onChange({ ...donation, galleryId: gallery.id })}
                  className="mt-[calc(0.6875rem-9px)] size-4.5 shrink-0 accent-accent-text outline-none"
                />
                <span className="min-w-0 break-words">
                  <span className="block font-semibold">{gallery.goal ? goalName(gallery) : gallery.name}</span>
                  {gallery.goal && (
                    <span className="block text-xs text-quiet tabular-nums">
                      {gallery.name}: {dollarText(gallery.goal.raised)} raised of {dollarText(gallery.goal.target)}
                    </span>
                  )}
                </span>
              </label>
            ))}
          </div>
        </fieldset>
      )}
    </div>
  );
}

/** Who or what the money is for. */
const goalName = ({ name, goal }: DonationGallery) => goal?.recipient || `the goal of ${name}`;
