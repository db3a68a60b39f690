/** Card number, expiry and code, for checkout, sign-up and upgrade. They never reach our own forms: the provider turns them into a token. */
import { lazy, Suspense } from 'react';
import { isTestMode, type CardEntryProps } from '#src/features/billing/card-entry.contract.ts';
import { SandboxCardFields } from '#src/features/billing/ui/sandbox-card-fields.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';

/** No one pays for Stripe's fields who does not see them. */
const StripeCardFields = lazy(async () => ({
  default: (await import('#src/features/billing/ui/stripe-card-fields.tsx')).StripeCardFields,
}));

export function CardEntry(props: CardEntryProps) {
  return (
    <div className="flex flex-col gap-5">
      {isTestMode(props) && (
        <Notice tone="warning">
          <strong>Test mode.</strong> No card is charged here. Pay with{' '}
          <span className="tabular-nums">4242 4242 4242 4242</span>, any future date and any three digits.
        </Notice>
      )}
      {props.provider === 'sandbox' ? (
        <SandboxCardFields {...props} />
      ) : (
        <Suspense fallback={<Skeleton className="h-44 w-full" />}>
          <StripeCardFields {...props} />
        </Suspense>
      )}
    </div>
  );
}
