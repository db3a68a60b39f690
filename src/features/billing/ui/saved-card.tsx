/** The added card: its last digits, its expiry, and a button for another one (specification P§2.4). */
import { useEffect, useRef } from 'react';
import type { AddedCard } from '#src/features/billing/card-entry.contract.ts';
import { cardName } from '#src/features/billing/subscriptions.rules.ts';
import { Button } from '#src/ui/button.tsx';
import { RotateCw } from '#src/ui/icon.tsx';

export function SavedCard({ card, onReset, disabled }: { card: AddedCard; onReset: () => void; disabled: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // The fields that had the focus are gone.
  useEffect(() => heading.current?.focus(), []);
  return (
    <section aria-labelledby="saved-card-heading" className="rounded border border-line bg-paper p-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h3 id="saved-card-heading" ref={heading} tabIndex={-1} className="text-base outline-none">
          {cardName(card)}
        </h3>
        <Button variant="secondary" size="small" disabled={disabled} onClick={onReset}>
          <RotateCw aria-hidden="true" />
          Reset Card
        </Button>
      </div>
      <dl className="mt-3 flex flex-wrap justify-between gap-x-4 gap-y-2 text-sm">
        <Fact name="Last 4 digits" value={card.last4} />
        <Fact name="Expiry year" value={String(card.exp_year)} />
        <Fact name="Expiry month" value={String(card.exp_month).padStart(2, '0')} />
      </dl>
    </section>
  );
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <div>
      <dt className="text-xs text-quiet">{name}</dt>
      <dd className="mt-0.5 font-semibold tabular-nums">{value}</dd>
    </div>
  );
}
