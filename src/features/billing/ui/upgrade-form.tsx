/** One button pays and upgrades, with the specification's states (P§2.4, 4, 8). Problems are shown in a toast (rule 40). */
import { useRef, useState, type FormEvent } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import { ALREADY_UPGRADED, CARD_ADDED, PAYMENT_PENDING, UPGRADED } from '#src/features/billing/billing.contract.ts';
import type { AddedCard, CardHandle, CardSetup, CardToken } from '#src/features/billing/card-entry.contract.ts';
import { askBank } from '#src/features/billing/stripe-js.client.ts';
import { CardEntry } from '#src/features/billing/ui/card-entry.tsx';
import { SavedCard } from '#src/features/billing/ui/saved-card.tsx';
import { PREMIUM_PLAN } from '#src/features/tenancy/plans.rules.ts';
import { CARD_REQUIRED } from '#src/shared/card-token.ts';
import { formatDollars } from '#src/shared/money.ts';
import { Button } from '#src/ui/button.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { Spinner } from '#src/ui/spinner.tsx';
import { closeToast, showToast } from '#src/ui/toast.ts';
import { api } from '#src/web/api-client.ts';
import { useRepeated } from '#src/web/use-load.ts';

type UpgradeFormProps = {
  affiliate: { id: number; path: string };
  /** The page to continue with once the club is upgraded. */
  backTo: string;
  /** Visitors and members of other clubs see the form and cannot send it. */
  mayUpgrade: boolean;
  isSignedIn: boolean;
  /** An upgrade with an unknown outcome. */
  isPending: boolean;
  cards: CardSetup;
};

type Added = { token: CardToken; card: AddedCard };

const POLL_EVERY_MS = 2_000;

export function UpgradeForm(props: UpgradeFormProps) {
  const { mayUpgrade, isSignedIn, cards } = props;
  const { entry, added, forget, isUpgrading, isPending, upgrade } = useUpgrade(props);
  if (isPending) {
    return (
      <Notice>
        <span role="status" className="flex items-center gap-3">
          <Spinner />
          {PAYMENT_PENDING} This page updates on its own, and you won’t be charged twice.
        </span>
      </Notice>
    );
  }
  return (
    <form method="dialog" noValidate onSubmit={(event) => void upgrade(event)} className="flex flex-col gap-5">
      {added ? (
        <SavedCard card={added.card} disabled={isUpgrading} onReset={forget} />
      ) : (
        <CardEntry id="upgrade-card" ref={entry} {...cards} />
      )}
      <Button type="submit" size="large" className="w-full" disabled={!mayUpgrade} busy={isUpgrading && 'Upgrading...'}>
        {isSignedIn ? `Pay ${formatDollars(PREMIUM_PLAN.yearlyPriceCents)} and upgrade` : 'Sign Up'}
      </Button>
    </form>
  );
}

/** Gets the card's token, pays with it, and waits during 3-D Secure. */
function useUpgrade({ affiliate, backTo, isPending: wasPending, cards }: UpgradeFormProps) {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const entry = useRef<CardHandle>(null);
  const isBusy = useRef(false);
  const errorToast = useRef(0);
  const [added, setAdded] = useState<Added | null>(null);
  const [isUpgrading, setIsUpgrading] = useState(false);
  const [isPending, setIsPending] = useState(wasPending);

  /** One message at a time, removed with the next try: on a phone they would cover the button. */
  function showError(message: string | null): void {
    closeToast(errorToast.current);
    if (message !== null) errorToast.current = showToast(message, 'error');
  }

  async function finish(): Promise<void> {
    showToast(UPGRADED, 'success');
    await navigate(backTo);
  }

  /** Null if the card was refused: its fields are empty again. */
  async function addCard(): Promise<Added | null> {
    if (!entry.current || entry.current.isEmpty()) {
      showError(CARD_REQUIRED);
      return null;
    }
    const answer = await entry.current.createToken();
    if ('error' in answer) {
      showError(answer.error);
      entry.current?.clear();
      return null;
    }
    setAdded(answer);
    showToast(CARD_ADDED, 'success');
    return answer;
  }

  async function payWith({ token }: Added): Promise<void> {
    const answer = await api('POST /api/v1/charges/', {
      body: { token, type: 'upgrade', affiliate_id: affiliate.id },
    });
    if (answer.ok && 'status' in answer.data) {
      setIsPending(true);
      const secret = answer.data.requires_action?.client_secret;
      const trouble = secret === undefined ? null : await askBank(cards.publishableKey ?? '', secret);
      showError(trouble);
    } else if (answer.ok) await finish();
    else {
      showError(answer.error);
      // A token can be used once; without a response the same card is tried again.
      if (!isTemporary(answer.status)) setAdded(null);
      if (answer.error === ALREADY_UPGRADED) void revalidate();
    }
  }

  async function upgrade(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isBusy.current) return;
    isBusy.current = true;
    showError(null);
    setIsUpgrading(true);
    const card = added ?? (await addCard());
    if (card) await payWith(card);
    isBusy.current = false;
    setIsUpgrading(false);
  }

  /** While the payment is being confirmed. */
  async function poll(signal: AbortSignal): Promise<void> {
    const answer = await api('GET /api/v1/charges/{id}', { params: { id: affiliate.id }, signal });
    if (!answer.ok || answer.data.status === 'pending') return;
    setIsPending(false);
    setAdded(null);
    if (answer.data.status === 'paid') await finish();
    else showError(answer.data.error);
  }
  useRepeated(POLL_EVERY_MS, isPending ? poll : null);

  return { entry, added, forget: () => setAdded(null), isUpgrading, isPending, upgrade };
}

/** No response, or an error that may not occur at the next attempt. */
function isTemporary(status: number): boolean {
  return status === 0 || status === 429 || status >= 500;
}
