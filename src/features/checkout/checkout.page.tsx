/** `/:affiliate/checkout`: review the cart, enter your name and email, donate, pay (specification P§2.4, P§5). */
import { lazy, Suspense, useState, useSyncExternalStore } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { buyerShareSentence } from '#src/features/tenancy/plans.rules.ts';
import { useCart, useWholeCart } from '#src/features/cart/cart.client.ts';
import { checkoutSession } from '#src/features/cart/checkout-session.client.ts';
import {
  ALREADY_ORDERED,
  CART_IS_EMPTY,
  ORDER_NOT_RECEIVED,
  ORDER_STATUS_UNKNOWN,
} from '#src/features/orders/orders.contract.ts';
import { useWaitingItem } from '#src/features/cart/ui/use-choice.ts';
import { CartStage } from '#src/features/checkout/ui/cart-photos.tsx';
import { CheckoutForm } from '#src/features/checkout/ui/checkout-form.tsx';
import { useCarriedPhotos } from '#src/features/checkout/ui/use-carried-photos.ts';
import { useSentOrder, type SentState } from '#src/features/checkout/ui/use-sent-order.ts';
import { Button } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { ArrowLeft, ShoppingBag } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';
import { showToast } from '#src/ui/toast.ts';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import type { RouteHandle } from '#src/web/route-handle.ts';
import type { Route } from './+types/checkout.page.ts';

const OPENING = 'Opening your order...';

/** Rarely needed, so it is loaded with the question. */
const NewCartQuestion = lazy(async () => ({
  default: (await import('#src/features/cart/ui/new-cart-question.tsx')).NewCartQuestion,
}));

export const handle: RouteHandle = { layout: 'affiliate', hidesCart: true };

export function meta() {
  return [{ title: 'Review your photos' }, { name: 'robots', content: 'noindex' }];
}

export async function loader({ context }: Route.LoaderArgs) {
  const seller = context.get(affiliateContext);
  const { app } = context.get(requestContext);
  const { cardSetup } = app.site;
  const ownKey = cardSetup.provider === 'stripe' ? await app.orders.publishableKeyOf(seller) : null;
  return {
    seller: {
      id: seller.id,
      name: seller.name,
      path: seller.domainName,
      ...(seller.takesCodes && { takesCodes: true }),
    },
    shareSentence: buyerShareSentence({ name: seller.name, shareBps: seller.shareBps }),
    cards: { ...cardSetup, publishableKey: ownKey ?? cardSetup.publishableKey },
  };
}

export default function CheckoutPage({ loaderData }: Route.ComponentProps) {
  const { seller } = loaderData;
  const navigate = useNavigate();
  const [params] = useSearchParams();
  const [isLeaving, setIsLeaving] = useState(false);
  const cart = useCart(seller.id);
  const isTaking = useCarriedPhotos(seller, cart);
  const waiting = useWaitingItem();
  const openOrder = ({ vanityId, before }: { vanityId: string; before: boolean }) => {
    setIsLeaving(true);
    if (before) showToast(ALREADY_ORDERED);
    // Replaces the checkout in the history, so that going back leads to the photos and not to a finished order.
    void navigate(`/${seller.path}/order/${vanityId}`, { replace: true });
  };
  const sent = useSentOrder(seller, cart, (vanityId) => openOrder({ vanityId, before: false }));
  const first = cart.items[0] ?? cart.passes[0];
  const backTo = first ? `/${seller.path}/gallery/${first.gallery_id}` : `/${seller.path}`;
  return (
    <Main className="max-w-5xl">
      <PageHeader
        title={isLeaving ? OPENING : 'Review your photos'}
        back={
          !isLeaving && (
            <LinkButton to={backTo} variant="quiet" size="small" className="-ml-3">
              <ArrowLeft aria-hidden="true" />
              {first ? 'Back to the gallery' : `Back to ${seller.name}`}
            </LinkButton>
          )
        }
      />
      <noscript>
        <Notice tone="warning">
          Your cart is saved in this browser, and paying requires JavaScript. Please turn it on to order; you can see
          all photos without it.
        </Notice>
      </noscript>
      <SentNotice state={sent.state} onAsk={sent.ask} />
      {(!cart.isLoaded || isLeaving || isTaking) && (
        <div className="noscript:hidden" aria-busy="true">
          <p role="status" className="sr-only">
            {isLeaving ? OPENING : 'Opening your cart...'}
          </p>
          <Skeleton className="h-72 w-full" />
        </div>
      )}
      {cart.isLoaded && !first && !isLeaving && !isTaking && <EmptyCart seller={seller} />}
      {first && (
        <div hidden={isLeaving}>
          <CheckoutForm
            cart={cart}
            seller={seller}
            cards={loaderData.cards}
            shareSentence={loaderData.shareSentence}
            isWaiting={sent.state === 'lost'}
            onOrdered={openOrder}
            onLost={sent.ask}
          />
        </div>
      )}
      {waiting && (
        <Suspense>
          <NewCartQuestion item={waiting} />
        </Suspense>
      )}
      <CartStage items={cart.items} photoId={Number(params.get('photo'))} onRemove={cart.remove} />
    </Main>
  );
}

function SentNotice({ state, onAsk }: { state: SentState; onAsk: () => void }) {
  return (
    <div role="status" className="[&:not(:empty)]:mb-6">
      {state === 'lost' && (
        <Notice tone="warning">
          <p>{ORDER_STATUS_UNKNOWN}</p>
          <Button variant="secondary" size="small" className="mt-3" onClick={onAsk}>
            Check now
          </Button>
        </Notice>
      )}
      {state === 'not_arrived' && <Notice>{ORDER_NOT_RECEIVED}</Notice>}
    </div>
  );
}

/** The cart has nothing of this affiliate; perhaps of another one (rule 21). */
function EmptyCart({ seller }: { seller: { name: string; path: string } }) {
  const whole = useWholeCart();
  const other = whole.items[0] ?? whole.passes[0];
  const isKept = useSyncExternalStore(never, checkoutSession.isKept, () => true);
  return (
    <EmptyState
      icon={<ShoppingBag />}
      title={CART_IS_EMPTY}
      action={
        other ? (
          <LinkButton to={`/${other.organization_path}/checkout`}>
            Review the cart of {other.organization_name}
          </LinkButton>
        ) : (
          <LinkButton to={`/${seller.path}`}>See the galleries</LinkButton>
        )
      }
    >
      {other ? (
        <p>
          Your cart has photos from {other.organization_name}. Each order goes to one organization, so check out there
          to buy them.
        </p>
      ) : (
        <p>Find a photo you like and click “Add to Cart”.</p>
      )}
      {!isKept && (
        <p className="mt-2">Your browser blocks storage, so your cart will be lost if you leave or reload this page.</p>
      )}
      <p className="mt-2">
        Ordered before?{' '}
        <Link
          to="/find-my-order"
          className="inline-flex min-h-11 items-center font-semibold underline underline-offset-4"
        >
          Find my order
        </Link>
      </p>
    </EmptyState>
  );
}

const never = () => () => undefined;
