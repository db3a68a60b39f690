import { PLANS, PREMIUM_PLAN, priceText, type Plan } from '#src/features/tenancy/plans.rules.ts';
import { planLines } from '#src/features/marketing/plan-words.rules.ts';
import { Card } from '#src/ui/card.tsx';
import { cx } from '#src/ui/cx.ts';
import { Check } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';

const CALLS: Record<Plan['id'], { label: string; to: string }> = {
  free: { label: 'Start for free', to: '/sign-up?plan=free' },
  premium: { label: 'Go Premium', to: '/sign-up?plan=premium' },
  enterprise: { label: "Let's chat", to: '/contact' },
};

/** The plans of the one plan table, each with its way in. */
export function PlanCards({ level = 3 }: { level?: 2 | 3 }) {
  const Heading = `h${level}` as const;
  return (
    <ul className="grid gap-5 md:grid-cols-3">
      {PLANS.map((plan) => (
        <li key={plan.id} className="grid">
          <Card className={cx('flex flex-col p-6', plan === PREMIUM_PLAN && 'ring-2 ring-accent')}>
            <Heading className="text-lg">{plan.name}</Heading>
            <p className="mt-1 font-display text-xl font-semibold">{priceText(plan)}</p>
            <ul className="mt-5 mb-6 flex flex-col gap-2.5 text-sm">
              {planLines(plan).map((line) => (
                <li key={line} className="flex gap-2.5">
                  <Check aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-accent-text" />
                  {line}
                </li>
              ))}
            </ul>
            <LinkButton
              to={CALLS[plan.id].to}
              variant={plan === PREMIUM_PLAN ? 'primary' : 'secondary'}
              className="mt-auto"
            >
              {CALLS[plan.id].label}
            </LinkButton>
          </Card>
        </li>
      ))}
    </ul>
  );
}
