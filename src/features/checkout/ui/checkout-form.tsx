/** The buyer's form beside the cart's photos; the totals are always the server's. */
import { useRef, useState, type FormEvent } from 'react';
import * as contract from '#src/features/billing/card-entry.contract.ts';
import { askBank } from '#src/features/billing/stripe-js.client.ts';
import { WalletButtons } from '#src/features/billing/ui/wallet-buttons.tsx';
import { WalletPlace } from '#src/features/billing/ui/wallet-frame.tsx';
import type { CartOf } from '#src/features/cart/cart.client.ts';
import { storeCodes, readCodes } from '#src/features/cart/typed-codes.client.ts';
import {
  buyerOf,
  checkoutErrors,
  checkoutValues,
  listedErrors,
  NO_BUYER,
  withSubtotals,
  type Buyer,
  type CheckoutValues,
} from '#src/features/checkout/checkout-form.rules.ts';
import { CARD_REQUIRED, OFFLINE_AT_CHECKOUT } from '#src/features/orders/orders.contract.ts';
import { isBelowMinimum, usualDonationGallery } from '#src/features/orders/orders.rules.ts';
import { BuyerFields, PaymentFields, ZipField } from '#src/features/checkout/ui/buyer-fields.tsx';
import { CartMending, troubleMessages, troubleOf } from '#src/features/checkout/ui/cart-mending.tsx';
import { CartPhotos, Totals } from '#src/features/checkout/ui/cart-photos.tsx';
import { DonationChoice, donationText, NO_DONATION } from '#src/features/checkout/ui/donation-choice.tsx';
import { CodeField, type CodeHandle } from '#src/features/cart/ui/code-field.tsx';
import { PriceMade } from '#src/features/checkout/ui/price-made.tsx';
import { BUYER_NAME, donationName, useStoredForTab } from '#src/features/checkout/ui/use-stored-for-tab.ts';
import { LicenseNote } from '#src/features/checkout/ui/license-note.tsx';
import { submitOrder } from '#src/features/checkout/ui/submit-order.ts';
import { imageUrlOf, useOnline, useQuote, type Moved } from '#src/features/checkout/ui/use-quote.ts';
import { counted } from '#src/shared/counted.ts';
import { formatDollars, fromDollars } from '#src/shared/money.ts';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { showToast } from '#src/ui/toast.ts';
import { useFormErrors } from '#src/web/use-form.ts';

type Seller = { id: number; name: string; path: string; takesCodes?: boolean };

type CheckoutFormProps = {
  cart: CartOf;
  seller: Seller;
  cards: contract.CardSetup;
  shareSentence: string;
  /** An order is being sent or looked up: nothing can be sent meanwhile. */
  isWaiting: boolean;
  onOrdered: (order: { vanityId: string; before: boolean }) => void;
  /** It was sent, and its arrival is unknown. */
  onLost: () => void;
};

export function CheckoutForm(props: CheckoutFormProps) {
  const { cart, seller, cards, shareSentence, isWaiting } = props;
  const checkout = useCheckout(props);
  const { buyer, setBuyer, card, noteCard, donation, setDonation, galleries, donationGalleryId } = checkout;
  const { quote, trouble, chargeNeeded, errors, attempt, isSending, isOnline } = checkout;
  const { totals } = quote;
  const { rest, chargeCents } = checkout;
  const form = { buyer, errors, onChange: setBuyer };
  return (
    <form
      method="dialog"
      noValidate
      onSubmit={checkout.submit}
      className="flex flex-col gap-8 pb-32 md:grid md:grid-cols-[minmax(0,2fr)_minmax(0,3fr)] md:grid-rows-[auto_1fr] md:items-start md:gap-x-10 md:pb-8 [&_input]:scroll-mb-32"
    >
      <CartSide cart={cart} checkout={checkout} seller={seller} />
      <div className="flex flex-col gap-8 max-md:order-1">
        <ErrorList messages={listedProblems(checkout)} attempt={attempt} />
        <CartMending
          trouble={trouble}
          sellerPath={seller.path}
          onRemove={cart.remove}
          onAcceptPrices={() => cart.acceptPrices(quote.prices)}
        />
        {totals && !isBelowMinimum(chargeCents) && (
          <WalletButtons {...cards} amountCents={chargeCents} recipient={seller.name} {...checkout.wallet} />
        )}
        {!totals && !quote.problem && cart.totalCents > 0 && <WalletPlace />}
        <BuyerFields {...form} />
        <DonationChoice
          recipient={seller.name}
          donation={donation}
          galleries={galleries}
          galleryId={donationGalleryId}
          errors={errors['donation']}
          onChange={setDonation}
        />
        {!chargeNeeded && rest.zipNeeded && <ZipField {...form} />}
        {chargeNeeded && <PaymentFields {...form} cards={cards} card={card} attempt={attempt} onEditCard={noteCard} />}
      </div>
      <div className="flex flex-col gap-4 max-md:order-3">
        <div className="sticky-bar flex flex-col gap-3 max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-20 max-md:border-t max-md:border-line max-md:bg-surface max-md:p-4 max-md:pb-[max(1rem,env(safe-area-inset-bottom))]">
          {!isOnline && <Notice tone="warning">{OFFLINE_AT_CHECKOUT}</Notice>}
          <Button
            type="submit"
            size="large"
            busy={isSending && 'Submitting...'}
            disabled={isWaiting || (!totals && !isSending)}
            className="w-full"
          >
            Get Download {totals ? formatDollars(chargeCents) : ''}
          </Button>
        </div>
        <LicenseNote shareSentence={shareSentence} />
      </div>
    </form>
  );
}

/** Single prices that changed are listed with both. */
function listedProblems({ errors, quote, trouble, sentSubtotal }: ReturnType<typeof useCheckout>): string[] {
  const hasNewPrices = trouble.repriced.length > 0;
  return withSubtotals(listedErrors(errors), hasNewPrices ? null : (quote.totals?.subtotal ?? null), sentSubtotal);
}

/** The form's values, the price, and the two ways to send an order. */
function useCheckout({ cart, seller, cards, isWaiting, onOrdered, onLost }: CheckoutFormProps) {
  const [buyer, setBuyer] = useStoredForTab(BUYER_NAME, NO_BUYER);
  const card = useRef<contract.CardHandle>(null);
  const code = useRef<CodeHandle>(null);
  const [cardState, setCardState] = useState({ isEmpty: true, edits: 0 });
  const [donation, setDonation] = useStoredForTab(donationName(seller.id), NO_DONATION);
  const [isSending, setIsSending] = useState(false);
  const [tried, setTried] = useState<{ photos: string; subtotal: number } | null>(null);
  const photos = cart.items.map(({ id }) => id).join();
  const isOnline = useOnline();
  const priced = usePriced({ cart, sellerId: seller.id, donation, zip: buyer.zip });
  const { quote, donationGalleryId, rest } = priced;
  const { totals } = quote;
  const values = checkoutValues(buyer, cardState, rest);
  const { errors, attempt, show } = useFormErrors(values, checkoutErrors);

  /** Sends a checked form; true when it is ordered. */
  async function place(sent: CheckoutValues, takeToken: () => Promise<contract.WalletToken>): Promise<boolean> {
    if (isSending || isWaiting) return false;
    if (!show(checkoutErrors(sent), sent) || !totals) return false;
    setIsSending(true);
    setTried({ photos, subtotal: totals.subtotal });
    const result = await submitOrder({
      seller,
      buyer: buyerOf(sent),
      cart,
      codes: quote.codes,
      quote: totals,
      donation: sent.donation,
      donationGalleryId,
      askBank: (clientSecret) => askBank(cards.publishableKey ?? '', clientSecret),
      takeToken,
    });
    if (result.kind === 'ordered') {
      onOrdered(result);
      return true;
    }
    setIsSending(false);
    if (result.kind === 'lost') onLost();
    else show(result.errors, sent);
    if (result.kind === 'refused' && result.cartIsStale) quote.reload();
    return false;
  }

  /** A typed code changes the total, which its buyer has not seen yet: otherwise they would pay without it. */
  const waitsForCode = () => code.current?.takeTyped() ?? false;

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (!waitsForCode()) void place(values, async () => card.current?.createToken() ?? NO_CARD);
  }

  /** The wallet fills the form; if something is still missing, the form says so. */
  function payByWallet({ holder, takeToken }: contract.WalletPayment): Promise<boolean> {
    const { name, email, zip } = holder;
    const filled: Buyer = { ...contract.splitName(name), email, confirm_email: email, zip };
    setBuyer(filled);
    return place(checkoutValues(filled, { ...cardState, isEmpty: false }, rest), takeToken);
  }

  /** Checks everything that the wallet does not fill. */
  function mayStartWallet(): boolean {
    const { donation: wrong, items } = checkoutErrors(values);
    const found = { ...(wrong ? { donation: wrong } : {}), ...(items ? { items } : {}) };
    return !waitsForCode() && show(found) && !isSending && !isWaiting && isOnline;
  }

  return {
    ...priced,
    buyer,
    setBuyer: (part: Partial<Buyer>) => setBuyer((before) => ({ ...before, ...part })),
    card,
    code,
    noteCard: ({ isEmpty }: { isEmpty: boolean }) => setCardState(({ edits }) => ({ isEmpty, edits: edits + 1 })),
    donation,
    setDonation,
    errors,
    attempt,
    isSending,
    // Of another cart it says nothing about prices.
    sentSubtotal: tried?.photos === photos ? tried.subtotal : null,
    isOnline,
    submit,
    wallet: { mayStart: mayStartWallet, onPay: payByWallet },
  };
}

type PriceInput = { cart: CartOf; sellerId: number; donation: Parameters<typeof donationText>[0]; zip: string };

/** The server's price of the cart, and the problems that the form checks. */
function usePriced({ cart, sellerId, donation, zip }: PriceInput) {
  const { items, passes } = cart;
  const typedCodes = useCodes(sellerId);
  const given = donationText(donation);
  const quote = useQuote({
    sellerId,
    items,
    passes,
    codes: typedCodes.codes,
    donation: given,
    zip,
    onMoved: (moved) => followMoved(cart, moved),
  });
  const { totals } = quote;
  const chargeNeeded = totals?.charge_needed ?? true;
  const chargeCents = fromDollars(totals?.charge ?? totals?.total ?? 0);
  const trouble = troubleOf(items, quote.unavailable, quote.prices);
  const galleries = totals?.galleries ?? [];
  const chosen = galleries.find(({ id }) => id === donation.galleryId);
  return {
    ...typedCodes,
    quote,
    trouble,
    chargeNeeded,
    chargeCents,
    galleries,
    donationGalleryId: chosen?.id ?? usualDonationGallery(galleries),
    rest: {
      donation: given,
      items: troubleMessages(trouble).join('\n'),
      passes: passes.map(({ id }) => id).join(),
      codes: typedCodes.codes.join(),
      chargeNeeded,
      zipNeeded: chargeNeeded || (totals?.total ?? 0) > 0,
    },
  };
}

/** With the price that the buyer saw: the form shows it with the present one if they differ. */
function followMoved(cart: CartOf, moved: Moved): void {
  const found = cart.items.filter(({ id }) => moved.has(id));
  cart.remove(...found.map(({ id }) => id));
  for (const item of found) {
    const place = moved.get(item.id);
    if (place) cart.add({ ...item, ...place, image_url: imageUrlOf(place) });
  }
}

/** The codes of this order, also after a reload. */
function useCodes(sellerId: number) {
  const [codes, setCodes] = useState(() => readCodes(sellerId));
  return {
    codes,
    setCodes(next: string[]): void {
      storeCodes(sellerId, next);
      setCodes(next);
    },
  };
}

type CartSideProps = { cart: CartOf; checkout: ReturnType<typeof useCheckout>; seller: Seller };

/**
 * On wide screens the cart scrolls with the form and its total is always in sight. On a phone the amounts come after the
 * form.
 */
function CartSide({ cart, checkout, seller }: CartSideProps) {
  const { quote, code, codes, setCodes, errors } = checkout;
  const { totals, subtotalBefore } = quote;
  const isPass = ({ kind }: { kind: string }) => kind.endsWith('_pass');
  const included = (totals?.offers ?? []).filter(isPass).flatMap((offer) => offer.photo_ids);
  const label = totals?.pricing ? 'Subtotal' : counted(cart.count, 'photo', 'photos');
  return (
    <div className="max-md:contents md:row-span-2 md:flex md:flex-col md:gap-5 md:self-stretch">
      <CartPhotos
        items={cart.items}
        passes={cart.passes}
        included={included}
        unavailable={quote.unavailable}
        prices={quote.prices}
        onRemove={(item) => {
          cart.remove(item.id);
          showToast('Removed from your cart.', 'info', { label: 'Undo', act: () => cart.add(item) });
        }}
      />
      {(totals?.pricing || codes.length > 0 || seller.takesCodes) && (
        <Card className="flex flex-col gap-4 p-5">
          {totals && <PriceMade quote={totals} items={cart.items} sellerPath={seller.path} />}
          <CodeField
            ref={code}
            isFolded
            codes={codes}
            errors={[...new Set([...quote.codeErrors, ...(errors['codes'] ?? [])])]}
            noteOf={(code) => (quote.codes.includes(code) ? '' : 'is not used.')}
            isWrong={quote.isWrong}
            onChange={setCodes}
          />
        </Card>
      )}
      {/* It hides what scrolls behind it, and the gap above it. */}
      <div className="max-md:order-2 md:sticky md:top-1 md:bottom-0 md:-mt-5 md:-mb-6 md:bg-paper md:pt-5 md:pb-6">
        <Card className="p-5">
          {totals ? (
            <Totals totals={{ ...totals, label, subtotalBefore }} />
          ) : (
            <p role="status" className="text-sm text-quiet">
              {quote.problem ?? 'Calculating...'}
            </p>
          )}
        </Card>
      </div>
    </div>
  );
}

const NO_CARD: contract.CardAnswer = { error: CARD_REQUIRED, errors: { number: [CARD_REQUIRED] } };
