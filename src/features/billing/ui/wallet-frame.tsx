import type { ReactNode } from 'react';
import { Skeleton } from '#src/ui/skeleton.tsx';

/** Stands above a form that it can replace. */
export function WalletFrame({ children, isHidden = false }: { children: ReactNode; isHidden?: boolean }) {
  return (
    <section aria-labelledby="wallet-heading" hidden={isHidden} className="flex flex-col gap-4">
      <h2 id="wallet-heading" className="text-lg">
        Pay with one tap
      </h2>
      {children}
      <p className="flex items-center gap-3 text-sm text-quiet before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or fill in the form
      </p>
    </section>
  );
}

/** Holds the place of the wallets until they are there, so that the form below stays where it is. */
export function WalletPlace() {
  return (
    <WalletFrame>
      <Skeleton className="h-12 w-full" />
    </WalletFrame>
  );
}
