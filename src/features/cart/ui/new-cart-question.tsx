import type { CartItem } from '#src/features/cart/cart.rules.ts';
import { useCart, useWholeCart } from '#src/features/cart/cart.client.ts';
import { askForNewCart } from '#src/features/cart/ui/use-choice.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';

/** A cart has photos of one affiliate: asks before the old one is discarded (rule 21). */
export function NewCartQuestion({ item }: { item: CartItem }) {
  const { items, passes, count } = useWholeCart();
  const { startOver } = useCart(item.organization_id);
  const close = () => askForNewCart(null);
  const seller = (items[0] ?? passes[0])?.organization_name ?? 'another organization';
  return (
    <Dialog
      open
      role="alertdialog"
      title="Start a new cart?"
      onClose={close}
      footer={
        <>
          <Button variant="secondary" autoFocus onClick={close}>
            Keep my cart
          </Button>
          <Button
            onClick={() => {
              startOver(item);
              close();
            }}
          >
            Start a new cart
          </Button>
        </>
      }
    >
      <p className="text-quiet">
        Your cart has {count === 0 ? 'a pass' : count === 1 ? 'a photo' : `${count} photos`} from {seller}. Each order
        goes to one organization. To keep them, check out first; to buy from {item.organization_name} now, start a new
        cart.
      </p>
    </Dialog>
  );
}
