/** One press instead of a form, where the browser has a wallet. It pays on the same path as a card. */
import { lazy, Suspense } from 'react';
import type { CardSetup } from '#src/features/billing/card-entry.contract.ts';
import type { WalletProps } from '#src/features/billing/wallet.contract.ts';
import { SandboxWallet } from '#src/features/billing/ui/sandbox-wallet.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';

const StripeWallets = lazy(async () => ({
  default: (await import('#src/features/billing/ui/stripe-wallets.tsx')).StripeWallets,
}));

export function WalletButtons({ provider, ...wallet }: WalletProps & Pick<CardSetup, 'provider'>) {
  if (provider === 'sandbox') return <SandboxWallet {...wallet} />;
  return (
    <Suspense fallback={<Skeleton className="h-24 w-full" />}>
      <StripeWallets {...wallet} />
    </Suspense>
  );
}
