/** The buyer's form beside the cart's photos; the totals are always the server's. */
import { useRef, useState, type FormEvent } from 'react';
import type { CardHandle, CardSetup } from '#src/features/billing/card-entry.contract.ts';
import { askBank } from '#src/features/billing/stripe-js.client.ts';
import { CardEntry } from '#src/features/billing/ui/card-entry.tsx';
import type { CartOf } from '#src/features/cart/cart.client.ts';
import {
  buyerForm,
  CARD_REQUIRED,
  DONATION_NOT_VALID,
  OFFLINE_AT_CHECKOUT,
  parseDonation,
} from '#src/features/orders/orders.contract.ts';
import { CartMending } from '#src/features/orders/ui/cart-mending.tsx';
import { CartPhotos } from '#src/features/orders/ui/cart-photos.tsx';
import { troubleMessages, troubleOf } from '#src/features/orders/ui/cart-trouble.ts';
import { DonationChoice, donationText, NO_DONATION } from '#src/features/orders/ui/donation-choice.tsx';
import { LicenceNote } from '#src/features/orders/ui/licence-note.tsx';
import { submitOrder } from '#src/features/orders/ui/submit-order.ts';
import { Totals } from '#src/features/orders/ui/totals.tsx';
import { useOnline } from '#src/features/orders/ui/use-online.ts';
import { useQuote } from '#src/features/orders/ui/use-quote.ts';
import { formatDollars, parseDollarNumber, ZERO } from '#src/shared/money.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { ErrorList } from '#src/ui/error-list.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { TextField } from '#src/ui/text-field.tsx';

type Seller = { id: number; name: string; path: string };
type Buyer = { first_name: string; last_name: string; email: string; confirm_email: string; zip: string };

const NOBODY: Buyer = { first_name: '', last_name: '', email: '', confirm_email: '', zip: '' };

type CheckoutFormProps = {
  cart: CartOf;
  seller: Seller;
  cards: CardSetup;
  shareSentence: string;
  /** An order is under way or being looked for: nothing can be sent meanwhile. */
  isWaiting: boolean;
  onOrdered: (order: { vanityId: string; before: boolean }) => void;
  /** It went out and nobody knows whether it arrived. */
  onLost: () => void;
};

export function CheckoutForm({ cart, seller, cards, shareSentence, isWaiting, onOrdered, onLost }: CheckoutFormProps) {
  const [buyer, setBuyer] = useState(NOBODY);
  const card = useRef<CardHandle>(null);
  const [donation, setDonation] = useState(NO_DONATION);
  const [errors, setErrors] = useState<FieldErrors>({});
  const [attempt, setAttempt] = useState(0);
  const [isSending, setIsSending] = useState(false);
  const isOnline = useOnline();
  const quote = useQuote({ sellerId: seller.id, items: cart.items, donation: donationText(donation), zip: buyer.zip });
  const total = formatDollars(parseDollarNumber(quote.totals?.total ?? 0) ?? ZERO);
  const chargeNeeded = quote.totals?.charge_needed ?? true;
  const trouble = troubleOf(cart.items, quote.unavailable, quote.prices);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (isSending || isWaiting) return;
    setAttempt((count) => count + 1);
    const found = problemsOf(buyer, chargeNeeded, donationText(donation), card.current?.isEmpty() ?? true);
    const stale = troubleMessages(trouble);
    if (stale.length > 0) found['items'] = stale;
    setErrors(found);
    if (Object.keys(found).length > 0 || !quote.totals) return;
    setIsSending(true);
    const result = await submitOrder({
      seller,
      buyer,
      cart,
      quote: quote.totals,
      donation: donationText(donation),
      donationGalleryId: cart.items[0]?.gallery_id ?? null,
      askBank: (clientSecret) => askBank(cards.publishableKey ?? '', clientSecret),
      takeToken: async () =>
        card.current?.createToken() ?? { error: CARD_REQUIRED, errors: { number: [CARD_REQUIRED] } },
    });
    if (result.kind === 'ordered') return onOrdered(result);
    setIsSending(false);
    if (result.kind === 'lost') return onLost();
    setErrors(result.errors);
    if (result.cartIsStale) quote.askAgain();
  }

  const field = (name: keyof Buyer) => ({
    name,
    value: buyer[name],
    errors: errors[name],
    onChange: (event: { target: { value: string } }) => setBuyer({ ...buyer, [name]: event.target.value }),
  });
  return (
    <form
      noValidate
      onSubmit={(event) => void submit(event)}
      className="grid gap-8 pb-32 md:grid-cols-[1fr_22rem] md:items-start md:pb-8"
    >
      <CartPhotos items={cart.items} unavailable={quote.unavailable} prices={quote.prices} onRemove={cart.remove} />
      <div className="flex flex-col gap-8">
        <ErrorList messages={Object.values(errors).flat()} attempt={attempt} />
        <CartMending
          trouble={trouble}
          sellerPath={seller.path}
          onRemove={cart.remove}
          onAcceptPrices={() => cart.acceptPrices(quote.prices)}
        />
        <section aria-labelledby="buyer-heading" className="flex flex-col gap-5">
          <h2 id="buyer-heading" className="text-lg">
            Who is it for?
          </h2>
          <div className="grid grid-cols-2 gap-4">
            <TextField label="First name" autoComplete="given-name" {...field('first_name')} />
            <TextField label="Last name" autoComplete="family-name" {...field('last_name')} />
          </div>
          <TextField
            label="Email"
            type="email"
            inputMode="email"
            autoComplete="email"
            hint="We send your receipt and the way back to your photos here."
            {...field('email')}
          />
          <TextField
            label="Confirm email"
            type="email"
            inputMode="email"
            autoComplete="email"
            {...field('confirm_email')}
          />
        </section>
        <DonationChoice recipient={seller.name} donation={donation} onChange={setDonation} />
        {chargeNeeded && (
          <section aria-labelledby="card-heading" className="flex flex-col gap-5">
            <h2 id="card-heading" className="text-lg">
              Payment
            </h2>
            <CardEntry id="card" ref={card} {...cards} zip={buyer.zip} errors={errors} />
            <TextField label="Zip" inputMode="numeric" autoComplete="postal-code" {...field('zip')} />
          </section>
        )}
        <Card className="p-5">
          {quote.totals ? (
            <Totals totals={{ ...quote.totals, photoCount: cart.items.length }} />
          ) : (
            <p role="status" className="text-sm text-quiet">
              {quote.problem ?? 'Adding up…'}
            </p>
          )}
          <LicenceNote shareSentence={shareSentence} />
        </Card>
        <div className="flex flex-col gap-3 md:sticky md:bottom-0 md:-mx-1 md:bg-paper md:px-1 md:py-3 max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-20 max-md:border-t max-md:border-line max-md:bg-surface max-md:p-4">
          {!isOnline && <Notice tone="warning">{OFFLINE_AT_CHECKOUT}</Notice>}
          <Button
            type="submit"
            size="large"
            busy={isSending && 'Submitting...'}
            disabled={isWaiting || (!quote.totals && !isSending)}
            className="w-full"
          >
            Get Download {quote.totals ? total : ''}
          </Button>
        </div>
      </div>
    </form>
  );
}

/** Every problem of the form at once, in the contract's words. */
function problemsOf(buyer: Buyer, chargeNeeded: boolean, donation: string, cardIsEmpty: boolean): FieldErrors {
  const errors: FieldErrors = {};
  const parsed = buyerForm(chargeNeeded).safeParse(chargeNeeded ? buyer : { ...buyer, zip: null });
  for (const issue of parsed.error?.issues ?? []) (errors[String(issue.path[0] ?? 'form')] ??= []).push(issue.message);
  if (parseDonation(donation) === null) errors['donation'] = [DONATION_NOT_VALID];
  if (chargeNeeded && cardIsEmpty) errors['number'] = [CARD_REQUIRED];
  return errors;
}
