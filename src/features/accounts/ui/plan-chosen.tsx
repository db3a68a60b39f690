/** What the account will be and what it costs, from the one plan table. */
import { paysByCard, type SignUpValues } from '#src/features/accounts/sign-up-form.rules.ts';
import { FREE_PLAN, keepsText, PREMIUM_PLAN, priceText } from '#src/features/billing/plans.rules.ts';
import { formatDollars, ZERO } from '#src/shared/money.ts';
import { Card } from '#src/ui/card.tsx';

export function PlanChosen({ values }: { values: SignUpValues }) {
  const plan = values.isFree ? FREE_PLAN : PREMIUM_PLAN;
  const isPaid = paysByCard(values);
  const today = isPaid ? (plan.yearlyPriceCents ?? ZERO) : ZERO;
  return (
    <Card className="flex flex-col gap-3 p-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <p className="font-display text-lg font-bold">{plan.name}</p>
        <p className="text-sm text-quiet">{priceText(plan)}</p>
      </div>
      <p className="text-sm text-quiet">
        {plan.maxActiveGalleries === null ? 'As many galleries and photos as you like. ' : ''}
        {keepsText(plan)}.
      </p>
      <p className="flex items-baseline justify-between gap-4 border-t border-line pt-3 font-semibold tabular-nums">
        <span>To pay today</span>
        <span>{formatDollars(today)}</span>
      </p>
      {isPaid && <p className="text-xs text-quiet">Renews each year with the same card.</p>}
    </Card>
  );
}
