/** The wallet of the sandbox: someone made up pays with a test card, on the path of every wallet. */
import { useState } from 'react';
import type { AddedCard } from '#src/features/billing/card-entry.contract.ts';
import type { WalletProps, WalletToken } from '#src/features/billing/wallet.contract.ts';
import { WalletFrame } from '#src/features/billing/ui/wallet-frame.tsx';
import { Button } from '#src/ui/button.tsx';
import { callApi } from '#src/web/api-client.ts';

const HOLDER = { name: 'Wanda Test', email: 'wanda@example.com', zip: '55401' };
const CARD = { number: '4242424242424242', exp_month: '12', exp_year: '2040', cvc: '123', zip: HOLDER.zip };

export function SandboxWallet({ mayStart, onPay }: WalletProps) {
  const [isPaying, setIsPaying] = useState(false);

  async function pay(): Promise<void> {
    if (!mayStart()) return;
    setIsPaying(true);
    await onPay({ holder: HOLDER, takeToken });
    setIsPaying(false);
  }

  return (
    <WalletFrame>
      <Button variant="secondary" size="large" busy={isPaying && 'Paying...'} onClick={() => void pay()}>
        Test wallet
      </Button>
    </WalletFrame>
  );
}

async function takeToken(): Promise<WalletToken> {
  const taken = await callApi<{ id: string; card: AddedCard }>('POST', '/sandbox/tokens', { body: CARD });
  return taken.ok ? { token: taken.data } : { error: taken.error, errors: taken.errors };
}
