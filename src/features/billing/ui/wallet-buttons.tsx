/** Pays with one tap if the browser has a wallet, through the same call as a card. */
import { lazy, Suspense, useState } from 'react';
import type { CardSetup, WalletProps, WalletToken } from '#src/features/billing/card-entry.contract.ts';
import { WalletFrame, WalletPlace } from '#src/features/billing/ui/wallet-frame.tsx';
import { Button } from '#src/ui/button.tsx';
import { api } from '#src/web/api-client.ts';

const StripeWallets = lazy(async () => ({
  default: (await import('#src/features/billing/ui/stripe-wallets.tsx')).StripeWallets,
}));

export function WalletButtons({ provider, ...wallet }: WalletProps & Pick<CardSetup, 'provider'>) {
  if (provider === 'sandbox') return <SandboxWallet {...wallet} />;
  return (
    <Suspense fallback={<WalletPlace />}>
      <StripeWallets {...wallet} />
    </Suspense>
  );
}

const HOLDER = { name: 'Wanda Test', email: 'wanda@example.com', zip: '55401' };
const CARD = { number: '4242424242424242', exp_month: '12', exp_year: '2040', cvc: '123', zip: HOLDER.zip };

function SandboxWallet({ mayStart, onPay }: WalletProps) {
  const [isPaying, setIsPaying] = useState(false);

  async function pay(): Promise<void> {
    if (!mayStart()) return;
    setIsPaying(true);
    await onPay({ holder: HOLDER, takeToken });
    setIsPaying(false);
  }

  return (
    <WalletFrame>
      <Button variant="secondary" className="min-h-12" busy={isPaying && 'Paying...'} onClick={() => void pay()}>
        Test wallet
      </Button>
    </WalletFrame>
  );
}

async function takeToken(): Promise<WalletToken> {
  const taken = await api('POST /sandbox/tokens', { body: CARD });
  return taken.ok ? { token: taken.data } : { error: taken.error, errors: taken.errors };
}
