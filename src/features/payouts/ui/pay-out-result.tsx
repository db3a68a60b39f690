import { useEffect, useRef } from 'react';
import type { PayOutAnswer } from '#src/features/payouts/payouts.contract.ts';
import { formatDollars, parseDollarNumber, ZERO } from '#src/shared/money.ts';
import { Button } from '#src/ui/button.tsx';
import { Notice } from '#src/ui/notice.tsx';

type PayOutResultProps = {
  result: PayOutAnswer;
  /** Of organizations, as they stood in the review that was pressed. */
  names: ReadonlyMap<number, string>;
  onClose: () => void;
};

const money = (dollars: number) => formatDollars(parseDollarNumber(dollars) ?? ZERO);
const SHOWN = 10;

/** The outcome of a press: how much was paid out, and who was left alone because their amount has changed. */
export function PayOutResult({ result, names, onClose }: PayOutResultProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [result]);
  const { payouts, results } = result;
  const nameOf = (id: number) => names.get(id) ?? `Organization ${id}`;
  const left = results.filter((one) => one.result !== 'paid_out');
  const sum = payouts.reduce((total, one) => total + (parseDollarNumber(one.amount) ?? 0), 0);
  return (
    <div className="pt-6">
      <Notice tone={left.length === 0 ? 'success' : 'warning'}>
        <h2 ref={heading} tabIndex={-1} className="font-sans text-sm font-bold outline-none">
          {payouts.length === 0
            ? 'Nothing was paid out'
            : `${money(sum / 100)} is on the way in ${payouts.length === 1 ? 'one payout' : `${payouts.length.toLocaleString('en-US')} payouts`}`}
        </h2>
        {payouts.length > 0 && (
          <>
            <ul className="mt-1 list-disc pl-5 tabular-nums">
              {payouts.slice(0, SHOWN).map((one) => (
                <li key={one.id}>
                  {nameOf(one.organization_id)}: {money(one.amount)}
                </li>
              ))}
              {payouts.length > SHOWN && <li>and {(payouts.length - SHOWN).toLocaleString('en-US')} more</li>}
            </ul>
            <p className="mt-1">Send the transfers, then confirm each below by its reference.</p>
          </>
        )}
        {left.length > 0 && (
          <>
            <p className="mt-1">These have changed since you looked and were not paid out. Please review them again:</p>
            <ul className="mt-1 list-disc pl-5">
              {left.slice(0, SHOWN).map((one) => (
                <li key={one.organization_id}>
                  {nameOf(one.organization_id)}:{' '}
                  {one.result === 'changed' ? `now ${money(one.amount)}` : 'nothing is due now'}
                </li>
              ))}
              {left.length > SHOWN && <li>and {(left.length - SHOWN).toLocaleString('en-US')} more</li>}
            </ul>
          </>
        )}
        <Button variant="quiet" size="small" className="mt-2 -ml-3" onClick={onClose}>
          Close
        </Button>
      </Notice>
    </div>
  );
}
