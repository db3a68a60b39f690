/** What the money does: the goals that an order helped, and how far they are now. */
import type { OrderAnswer } from '#src/features/orders/orders.contract.ts';
import { formatDollars, parseDollarNumber, ZERO, type Cents } from '#src/shared/money.ts';
import { Card } from '#src/ui/card.tsx';
import { GoalBar } from '#src/ui/goal-bar.tsx';

/** More than these are no news. */
const AT_MOST = 3;

export function HelpedGoals({ goals }: { goals: OrderAnswer['goals'] }) {
  if (goals.length === 0) return null;
  const cards = goals.slice(0, AT_MOST).map((goal) => (
    <Card key={goal.gallery_id} className="flex flex-col gap-3 p-5">
      <h2 className="text-lg text-pretty">
        You brought {goal.recipient || `the goal of ${goal.name}`} to {formatDollars(inCents(goal.raised))}
      </h2>
      <GoalBar salesCents={inCents(goal.raised)} donationCents={ZERO} targetCents={inCents(goal.target)} />
      <p className="text-sm text-quiet">{formatDollars(inCents(goal.brought))} of it is yours. Thank you!</p>
    </Card>
  ));
  return <div className="flex flex-col gap-5">{cards}</div>;
}

const inCents = (dollars: number): Cents => parseDollarNumber(dollars) ?? ZERO;
