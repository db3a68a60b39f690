/** Which plan the account will have and what it costs today, from the one plan table (rule 58). */
import { useId } from 'react';
import { FREE_TIER_TEXT, paysByCard, type SignUpValues } from '#src/features/sign-up/sign-up-form.rules.ts';
import { FREE_PLAN, keepsText, PREMIUM_PLAN, priceText, type Plan } from '#src/features/tenancy/plans.rules.ts';
import { formatDollars, ZERO } from '#src/shared/money.ts';
import { Card } from '#src/ui/card.tsx';
import { cx } from '#src/ui/cx.ts';
import { CircleAlert } from '#src/ui/icon.tsx';

const CHOICES = [
  { plan: FREE_PLAN, label: 'Free tier', hint: `${FREE_TIER_TEXT}. No card needed.` },
  { plan: PREMIUM_PLAN, label: PREMIUM_PLAN.name, hint: 'As many galleries and photos as you like.' },
] as const;

type PlanChoiceProps = {
  values: SignUpValues;
  errors: readonly string[];
  /** Only below the root organization; elsewhere there is one plan and nothing to choose. */
  offersFree: boolean;
  onChoose: (isFree: boolean) => void;
};

export function PlanChoice({ values, errors, offersFree, onChoose }: PlanChoiceProps) {
  const chosen = values.isFree ? FREE_PLAN : PREMIUM_PLAN;
  const isPaid = paysByCard(values);
  return (
    <div className="flex flex-col gap-3">
      {offersFree ? (
        <fieldset>
          <legend className="text-sm font-semibold">Plan</legend>
          <div className="mt-2 grid gap-3 sm:grid-cols-2">
            {CHOICES.map(({ plan, label, hint }) => (
              <PlanCard
                key={plan.id}
                plan={plan}
                label={label}
                hint={hint}
                isChosen={plan === chosen}
                onChoose={() => onChoose(plan === FREE_PLAN)}
              />
            ))}
          </div>
        </fieldset>
      ) : (
        <Card className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 p-4">
          <p className="font-semibold">{chosen.name}</p>
          <p className="text-sm text-quiet">{priceText(chosen)}</p>
          <p className="w-full text-xs text-pretty text-quiet">{CHOICES[1].hint}</p>
          <input type="hidden" name="plan" value="premium" />
        </Card>
      )}
      {errors.map((message) => (
        <p key={message} role="alert" className="flex gap-1.5 text-xs font-semibold text-danger">
          <CircleAlert aria-hidden="true" className="mt-px size-4 shrink-0" />
          {message}
        </p>
      ))}
      <p className="text-xs text-pretty text-quiet">{keepsText(chosen)}.</p>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 border-t border-line pt-3 font-semibold tabular-nums">
        <span>To pay today</span>
        <span>{formatDollars(isPaid ? (chosen.yearlyPriceCents ?? ZERO) : ZERO)}</span>
      </p>
      {isPaid && <p className="text-xs text-quiet">Renews each year with the same card.</p>}
    </div>
  );
}

type PlanCardProps = { plan: Plan; label: string; hint: string; isChosen: boolean; onChoose: () => void };

/** The whole card can be pressed. */
function PlanCard({ plan, label, hint, isChosen, onChoose }: PlanCardProps) {
  const id = useId();
  return (
    <label
      htmlFor={id}
      className={cx(
        'flex cursor-pointer items-start gap-3 rounded border p-4 transition-colors has-checked:border-accent has-checked:bg-accent-tint has-checked:ring-1 has-checked:ring-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent-text',
        isChosen ? '' : 'border-line-strong bg-surface hover:bg-sunken',
      )}
    >
      <input
        type="radio"
        id={id}
        name="plan"
        value={plan.id}
        checked={isChosen}
        aria-labelledby={`${id}-name`}
        aria-describedby={`${id}-hint`}
        onChange={onChoose}
        className="mt-0.5 size-5.5 shrink-0 accent-accent-text"
      />
      <span className="flex min-w-0 flex-1 flex-col gap-1">
        <span className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span id={`${id}-name`} className="font-semibold">
            {label}
          </span>
          <span className="text-sm font-semibold tabular-nums">{priceText(plan)}</span>
        </span>
        <span id={`${id}-hint`} className="text-xs text-pretty text-quiet">
          {hint}
        </span>
      </span>
    </label>
  );
}
