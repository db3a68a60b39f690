/** The credit that an order bought: the code to type at checkout, also as a card to print. */
import { keepCode } from '#src/features/credit-shop/ui/keep-code.ts';
import { GiftDelivery } from '#src/features/credit-shop/ui/gift-delivery.tsx';
import type { OrderAnswer } from '#src/features/orders/orders.contract.ts';
import { copyText } from '#src/features/sharing/ui/copy-gallery-link.ts';
import { shownDay } from '#src/shared/day-range.ts';
import { dollarText } from '#src/shared/money.ts';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';

type CreditBlockProps = {
  order: OrderAnswer;
  /** In the seller's zone. */
  today: string;
  sold: NonNullable<OrderAnswer['credit_sold']>;
  sellerPath: string;
  /** The address to type: a card on paper has no link. */
  address: string;
  /** A gift goes to another address. */
  onReaddressed: () => void;
};

export function CreditBlock({ order, sold, sellerPath, address, today, onReaddressed }: CreditBlockProps) {
  const { code, amount, bonus, bonus_until: until, gift, left } = sold;
  if (code === null || left === 0) return null;
  const bonusNow = until !== null && until < today ? 0 : bonus;
  return (
    <section aria-label={gift ? 'The gift card' : 'Your code'} className="flex flex-col gap-4">
      <Card className="mx-auto w-full max-w-md overflow-hidden border-t-8 border-t-accent p-6 text-center sm:p-8 print:mt-10 print:border-2 print:border-t-8">
        <p className="font-semibold">{order.organization.name}</p>
        <p className="mt-2 text-3xl font-bold tabular-nums">{dollarText(left ?? amount + bonusNow)}</p>
        <p className="wrap-anywhere text-quiet">for photos{gift && gift.name !== '' ? `, for ${gift.name}` : ''}</p>
        {gift && gift.name !== '' && (
          <p className="mt-4 text-pretty wrap-anywhere">
            {gift.message !== '' && <span className="block">“{gift.message}”</span>}
            From {order.first_name}
          </p>
        )}
        <p className="mt-6 font-mono text-lg font-bold tracking-wide text-balance wrap-anywhere sm:text-xl">{code}</p>
        <p className="mt-4 text-sm text-pretty text-quiet">
          Choose photos at {/* A line ends before the path: a hyphen at its end could belong to the address or not. */}
          {address.split(/(?=\/)/).map((part) => (
            <span key={part} className="inline-block font-semibold wrap-anywhere text-ink">
              {part}
            </span>
          ))}{' '}
          and enter this code when you pay. Any balance stays on it.
          {bonusWords({ ...sold, bonus: bonusNow })} What was paid never expires.
        </p>
      </Card>
      {gift && (
        <GiftDelivery
          gift={gift}
          vanityId={order.vanity_id}
          isDisputed={order.status === 'disputed'}
          today={today}
          onReaddressed={onReaddressed}
        />
      )}
      <div className="flex flex-wrap justify-center gap-3 print:hidden">
        <Button variant="secondary" onClick={() => void copyText(code, 'Code copied')}>
          Copy the code
        </Button>
        <Button variant="secondary" onClick={() => window.print()}>
          Print the card
        </Button>
        {!gift && (
          <LinkButton to={`/${sellerPath}`} onClick={() => keepCode(order.organization.id, code)}>
            Choose photos
          </LinkButton>
        )}
      </div>
    </section>
  );
}

/** Of a code that was refunded in part, or is disputed, only the sum with its bonus is known. */
function bonusWords({ bonus, bonus_until: until, left }: CreditBlockProps['sold']): string {
  if (bonus === 0 || (until === null && left !== undefined)) return '';
  if (until === null) return ` ${dollarText(bonus)} of it is a bonus.`;
  if (left !== undefined) return ` Any bonus in it ends on ${shownDay(until)}.`;
  return ` ${dollarText(bonus)} of it is a bonus, until ${shownDay(until)}.`;
}
