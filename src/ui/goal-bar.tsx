import { goalPercent } from '#src/shared/goal.ts';
import { cents, formatDollars, type Cents } from '#src/shared/money.ts';

type GoalBarProps = {
  salesCents: Cents;
  donationCents: Cents;
  targetCents: Cents | null;
  /** Who or what the money is for. */
  recipient?: string | null;
};

/** How much of a goal was raised; nothing without a goal. */
export function GoalBar({ salesCents, donationCents, targetCents, recipient }: GoalBarProps) {
  const percent = goalPercent({ salesCents, donationCents, targetCents });
  if (percent === null || targetCents === null) return null;
  const raised = cents(salesCents + donationCents);
  const text = `${formatDollars(raised)} raised of ${formatDollars(targetCents)}${recipient ? ` for ${recipient}` : ''}`;
  return (
    <div className="flex w-full max-w-md flex-col gap-1.5">
      <div
        role="progressbar"
        aria-label="Fundraising goal"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.min(100, Math.round((raised / targetCents) * 100))}
        aria-valuetext={text}
        className="h-2.5 overflow-hidden rounded-full border border-line-strong bg-surface"
      >
        <div className="h-full rounded-full bg-accent" style={{ width: `${percent}%` }} />
      </div>
      <p className="text-xs text-quiet">
        <strong className="font-bold text-ink tabular-nums">{formatDollars(raised)}</strong>
        {text.slice(formatDollars(raised).length)}
      </p>
    </div>
  );
}
