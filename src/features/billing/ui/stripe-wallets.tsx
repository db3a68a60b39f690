/** Apple Pay, Google Pay and Link: the buttons of Stripe's Express Checkout Element for the wallets of this browser. */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Stripe, StripeElements, StripeExpressCheckoutElementConfirmEvent } from '@stripe/stripe-js';
import { CARD_ENTRY_NOT_LOADED, loadStripeJs } from '#src/features/billing/stripe-js.client.ts';
import type { WalletProps, WalletToken } from '#src/features/billing/card-entry.contract.ts';
import { WalletFrame } from '#src/features/billing/ui/wallet-frame.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';

export function StripeWallets({ publishableKey, amountCents, recipient, mayStart, onPay }: WalletProps) {
  const place = useRef<HTMLDivElement>(null);
  const elements = useRef<StripeElements | null>(null);
  const [state, setState] = useState<'loading' | 'ready' | 'none'>('loading');

  const currentAmount = useEffectEvent(() => amountCents);
  const currentRecipient = useEffectEvent(() => recipient);
  const mayStartNow = useEffectEvent(() => mayStart());
  const confirm = useEffectEvent(
    async (stripe: Stripe, event: StripeExpressCheckoutElementConfirmEvent): Promise<void> => {
      const { current } = elements;
      const { name = '', email = '', address } = event.billingDetails ?? {};
      const isPaid =
        current !== null &&
        (await onPay({
          holder: { name, email, zip: address?.postal_code ?? '' },
          takeToken: () => tokenOf(stripe, current),
        }));
      if (!isPaid) event.paymentFailed({ reason: 'fail' });
    },
  );

  useEffect(() => {
    let isGone = false;
    const mount = async () => {
      const stripe = await loadStripeJs(publishableKey ?? '');
      if (isGone || !place.current) return;
      elements.current = stripe.elements({
        mode: 'payment',
        amount: currentAmount(),
        currency: 'usd',
        allowedPaymentMethodTypes: ['card', 'link'],
      });
      elements.current
        .create('expressCheckout', { emailRequired: true, billingAddressRequired: true, buttonHeight: 48 })
        .on('ready', ({ availablePaymentMethods }) => setState(availablePaymentMethods ? 'ready' : 'none'))
        .on('loaderror', () => setState('none'))
        .on('click', (event) =>
          mayStartNow() ? event.resolve({ business: { name: currentRecipient() } }) : event.reject(),
        )
        .on('confirm', (event) => void confirm(stripe, event))
        .mount(place.current);
    };
    // Without Stripe's script the card entry reports it; a wallet is only a shortcut.
    mount().catch(() => !isGone && setState('none'));
    return () => {
      isGone = true;
      elements.current?.getElement('expressCheckout')?.destroy();
      elements.current = null;
    };
  }, [publishableKey]);

  useEffect(() => {
    void elements.current?.update({ amount: amountCents });
  }, [amountCents]);

  return (
    <WalletFrame isHidden={state === 'none'}>
      {state === 'loading' && <Skeleton className="h-12 w-full" />}
      <div ref={place} />
    </WalletFrame>
  );
}

async function tokenOf(stripe: Stripe, elements: StripeElements): Promise<WalletToken> {
  try {
    const { error: unready } = await elements.submit();
    if (unready) return refusal(unready.message);
    const { error, confirmationToken } = await stripe.createConfirmationToken({
      elements,
      params: { return_url: window.location.href },
    });
    return error ? refusal(error.message) : { token: { id: confirmationToken.id } };
  } catch {
    return refusal(CARD_ENTRY_NOT_LOADED);
  }
}

const refusal = (message: string = CARD_ENTRY_NOT_LOADED): WalletToken => ({
  error: message,
  errors: { card: [message] },
});
