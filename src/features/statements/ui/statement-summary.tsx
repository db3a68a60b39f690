import { YOU_GET } from '#src/features/reports/money-words.contract.ts';
import { notesOf, shownMovements } from '#src/features/statements/statement-print.rules.ts';
import { changeOf, type Account } from '#src/features/statements/statements.rules.ts';
import { cents, formatDollars, sumCents } from '#src/shared/money.ts';
import { Card } from '#src/ui/card.tsx';
import { FigureList } from '#src/ui/figure-list.tsx';

const ROW = 'flex items-baseline justify-between gap-4';

/** From the opening to the closing balance, and beside it what is no part of it. */
export function StatementSummary({ account }: { account: Account }) {
  const notes = notesOf(account);
  const paidOutCents = sumCents([account.payoutsCents, account.returnedCents]);
  return (
    <Card className="grid gap-x-12 gap-y-6 p-5 sm:p-6 lg:grid-cols-[minmax(0,26rem)_minmax(0,1fr)] print:block print:border-0 print:p-0">
      <div className="text-sm tabular-nums [&_dd]:text-nowrap">
        <dl className="pb-2.5 font-bold">
          <div className={ROW}>
            <dt>Opening balance</dt>
            <dd>{formatDollars(account.openingCents)}</dd>
          </div>
        </dl>
        <dl className="border-y border-line py-1.5">
          {shownMovements(account).map(({ words, amount }) => (
            <div key={words} className={`${ROW} py-1`}>
              <dt>{words}</dt>
              <dd>{amount}</dd>
            </div>
          ))}
        </dl>
        <dl className="pt-2.5">
          <div className={ROW}>
            <dt className="font-bold">Closing balance</dt>
            <dd className="font-display text-lg font-bold">{formatDollars(account.closingCents)}</dd>
          </div>
        </dl>
      </div>
      <div className="border-line max-lg:border-t max-lg:pt-5 lg:border-l lg:pl-8 print:border-0 print:pt-4">
        <FigureList
          className="grid-cols-2 sm:grid-cols-3"
          figures={[
            { name: YOU_GET, value: formatDollars(cents(changeOf(account) - paidOutCents)) },
            { name: 'Paid out', value: formatDollars(cents(0 - paidOutCents)) },
            { name: account.orders === 1 ? 'Order' : 'Orders', value: account.orders.toLocaleString('en-US') },
          ]}
        />
        {notes.length > 0 && (
          <>
            <h2 className="pt-6 pb-3 text-sm font-semibold text-quiet">Beside the balance</h2>
            <dl className="grid gap-4 text-sm">
              {notes.map(({ words, amount, why }) => (
                <div key={words} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4">
                  <dt>{words}</dt>
                  <dd className="font-semibold tabular-nums">{amount}</dd>
                  <dd className="col-span-2 text-quiet">{why}</dd>
                </div>
              ))}
            </dl>
          </>
        )}
      </div>
    </Card>
  );
}
