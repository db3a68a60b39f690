/** `/:affiliate/checkout`: review the cart, say who you are, give a little more, pay (specification P§2.4, §5). */
import { Link } from 'react-router';
import { buyerShareSentence } from '#src/features/billing/plans.rules.ts';
import { useCart } from '#src/features/cart/cart.client.ts';
import { CART_IS_EMPTY } from '#src/features/orders/orders.contract.ts';
import { CheckoutForm } from '#src/features/orders/ui/checkout-form.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { ArrowLeft, ShoppingBag } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import type { RouteHandle } from '#src/web/route-handle.ts';
import type { Route } from './+types/checkout.page.ts';

export const handle: RouteHandle = { layout: 'affiliate', hidesCart: true };

export function meta() {
  return [{ title: 'Review your photos' }, { name: 'robots', content: 'noindex' }];
}

export function loader({ context }: Route.LoaderArgs) {
  const seller = context.get(affiliateContext);
  return {
    seller: { id: seller.id, name: seller.name, path: seller.domainName },
    shareSentence: buyerShareSentence({ name: seller.name, shareBps: seller.shareBps }),
    cards: context.get(requestContext).app.site.cardSetup,
  };
}

export default function CheckoutPage({ loaderData }: Route.ComponentProps) {
  const { seller } = loaderData;
  const cart = useCart(seller.id);
  const [first] = cart.items;
  const backTo = first ? `/${seller.path}/gallery/${first.gallery_id}` : `/${seller.path}`;
  return (
    <Main className="max-w-5xl">
      <PageHeader
        title="Review your photos"
        back={
          <Link
            to={backTo}
            className="inline-flex min-h-11 items-center gap-2 text-sm font-semibold text-quiet hover:text-ink"
          >
            <ArrowLeft aria-hidden="true" className="size-4" />
            {first ? 'Back to the gallery' : `Back to ${seller.name}`}
          </Link>
        }
      />
      {!cart.isLoaded && <Skeleton className="h-72 w-full" />}
      {cart.isLoaded && !first && (
        <EmptyState
          icon={<ShoppingBag />}
          title={CART_IS_EMPTY}
          action={<LinkButton to={`/${seller.path}`}>See the galleries</LinkButton>}
        >
          Find a photo you like and press “Add to Cart”.
        </EmptyState>
      )}
      {first && (
        <CheckoutForm cart={cart} seller={seller} cards={loaderData.cards} shareSentence={loaderData.shareSentence} />
      )}
    </Main>
  );
}
