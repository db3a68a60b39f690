import type { ReactNode } from 'react';
import { Skeleton } from '#src/ui/skeleton.tsx';

/** Above a form that it can replace. */
export function WalletFrame({ children, isHidden = false }: { children: ReactNode; isHidden?: boolean }) {
  return (
    <section aria-labelledby="wallet-heading" hidden={isHidden} className="flex flex-col gap-4">
      <h2 id="wallet-heading" className="text-lg">
        Pay with one tap
      </h2>
      {children}
      <p className="flex items-center gap-3 text-sm text-quiet before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or fill out the form
      </p>
    </section>
  );
}

/** Reserves the space of the wallet buttons, so that the form below does not move. */
export function WalletPlace() {
  return (
    <WalletFrame>
      <Skeleton className="h-12 w-full" />
    </WalletFrame>
  );
}
