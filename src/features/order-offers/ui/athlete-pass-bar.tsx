/**
 * A small bar that offers all photos of an athlete for one price: it says what is included and adds the pass to the
 * cart (athletes specification B.3).
 */
import { allOfAthlete, athletePassItem, contentsOfPass } from '#src/features/order-offers/athlete-pass.rules.ts';
import { useChoice, type Seller } from '#src/features/cart/ui/use-choice.ts';
import type { OfferedPass } from '#src/features/order-offers/sold-passes.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { Check, Plus } from '#src/ui/icon.tsx';

type AthletePassBarProps = {
  pass: OfferedPass;
  seller: Seller;
  /** " of number 10", for a page that is not that child's. */
  of?: string;
  /** Photos on the page, when a pass opens only some of them. */
  total?: number;
};

export function AthletePassBar({ pass, seller, of = '', total = pass.photos }: AthletePassBarProps) {
  const { cart, toggle } = useChoice(seller.id);
  const item = athletePassItem(pass, seller);
  const isIn = cart.has(item.id);
  const text = allOfAthlete(pass, of, total);
  return (
    <div className="mx-5 mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-2 rounded-lg border border-line bg-surface py-2.5 pr-2.5 pl-4 sm:w-fit">
      <p className="min-w-0">
        <strong className="block">{text}</strong>
        <span className="text-sm text-quiet">{contentsOfPass(pass)}</span>
      </p>
      <Button
        variant="secondary"
        aria-label={isIn ? `In cart. Remove ${text}` : `Add to cart: ${text}`}
        className="max-sm:w-full"
        onClick={() => toggle(item)}
      >
        {isIn ? <Check aria-hidden="true" /> : <Plus aria-hidden="true" />}
        {isIn ? 'In your cart' : 'Get all of them'}
      </Button>
    </div>
  );
}
