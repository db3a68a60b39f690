import { PLANS, PREMIUM_PLAN, priceText, type Plan } from '#src/features/tenancy/plans.rules.ts';
import { planLines, COMPARED_FEATURES } from '#src/features/marketing/plan-words.rules.ts';
import { Card } from '#src/ui/card.tsx';
import { cx } from '#src/ui/cx.ts';
import { Check } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';

const CALLS: Record<Plan['id'], { label: string; to: string }> = {
  free: { label: 'Start for free', to: '/sign-up?plan=free' },
  premium: { label: 'Go Premium', to: '/sign-up?plan=premium' },
  enterprise: { label: "Let's chat", to: '/contact' },
};

/** The plans, each with its button. */
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

/** With large text on a phone a feature's name is on its own line, above the plans' answers. */
const ROW = '@max-[15rem]:grid @max-[15rem]:grid-cols-[minmax(0,1fr)_minmax(0,2fr)_minmax(0,2fr)]';

/** Plans side by side. On phones each plan is only as wide as its text, so that the features keep space. */
export function ComparisonTable() {
  return (
    <div className="@container">
      <table className="w-full border-collapse text-xs @max-[15rem]:block sm:table-fixed sm:text-sm">
        <caption className="sr-only">What each plan includes</caption>
        <thead className="@max-[15rem]:block">
          <tr className={cx('border-b border-line-strong', ROW)}>
            <th scope="col" className="py-3 text-left font-semibold @max-[15rem]:hidden sm:w-2/5">
              Feature
            </th>
            {PLANS.map((plan) => (
              <th key={plan.id} scope="col" className="px-1 py-3 font-display font-semibold wrap-normal sm:text-base">
                {plan.name}
              </th>
            ))}
          </tr>
        </thead>
        {COMPARED_FEATURES.map(({ title, features }) => (
          <tbody key={title} className="@max-[15rem]:block">
            <tr>
              <th
                scope="rowgroup"
                colSpan={PLANS.length + 1}
                className="pt-7 pb-2 text-left font-display text-base font-semibold"
              >
                {title}
              </th>
            </tr>
            {features.map(({ name, of }) => (
              <tr key={name} className={cx('border-t border-line', ROW)}>
                <th
                  scope="row"
                  className="py-2.5 pr-2 text-left text-sm font-normal text-pretty @max-[15rem]:col-span-3"
                >
                  {name}
                </th>
                {PLANS.map((plan) => (
                  <td key={plan.id} className="px-1 py-2.5 text-center wrap-normal tabular-nums">
                    <Answer value={of[plan.id]} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        ))}
      </table>
    </div>
  );
}

function Answer({ value }: { value: string | boolean }) {
  if (typeof value === 'string') return value;
  if (!value)
    return (
      <span className="text-quiet">
        <span aria-hidden="true">–</span>
        <span className="sr-only">No</span>
      </span>
    );
  return (
    <>
      <Check aria-hidden="true" className="mx-auto size-5 text-accent-text" />
      <span className="sr-only">Yes</span>
    </>
  );
}
