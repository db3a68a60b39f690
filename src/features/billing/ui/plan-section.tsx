import { useState } from 'react';
import { PLAN_TITLE, type AccountPlan } from '#src/features/billing/billing.contract.ts';
import { upgradePath } from '#src/features/billing/upgrade-link.rules.ts';
import { cardName } from '#src/features/billing/subscriptions.rules.ts';
import { FREE_PLAN, keepsText, PLANS, PREMIUM_PLAN } from '#src/features/tenancy/plans.rules.ts';
import { publicDay } from '#src/shared/dates.ts';
import { dollarText } from '#src/shared/money.ts';
import { Button } from '#src/ui/button.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { showToast } from '#src/ui/toast.ts';
import { api } from '#src/web/api-client.ts';
import { ConfirmCall } from '#src/web/confirm-call.tsx';

type PlanOfAccountProps = { organizationId: number; path: string; timeZone: string; start: AccountPlan };
type Paid = NonNullable<AccountPlan['subscription']>;

/** What the account is on and what is charged for it; a yearly plan is stopped here, and goes on after all. */
export function PlanOfAccount({ organizationId, path, timeZone, start }: PlanOfAccountProps) {
  const [{ plan, subscription }, setPlan] = useState(start);
  const [isAsking, setAsking] = useState(false);
  const [isSending, setSending] = useState(false);
  const facts = PLANS.find(({ id }) => id === plan) ?? FREE_PLAN;
  const day = subscription === null ? '' : publicDay(new Date(subscription.paid_until), timeZone);
  const send = (renews: boolean) =>
    api('PUT /api/v1/affiliates/{id}/plan/renewal', { params: { id: organizationId }, body: { renews } });

  async function renewAfterAll(): Promise<void> {
    setSending(true);
    const answer = await send(true);
    setSending(false);
    if (!answer.ok) return void showToast(answer.error, 'error');
    setPlan(answer.data);
    showToast(`The plan renews on ${day}.`, 'success');
  }

  return (
    <>
      <div className="flex flex-col gap-1 text-sm">
        <p className="text-base font-semibold">{facts.name}</p>
        <p className="text-quiet">{limitsOf(plan)}</p>
        {plan !== 'enterprise' && <p className="text-quiet">{keepsText(facts)}.</p>}
        {plan !== 'free' && subscription === null && <p className="text-quiet">No card is charged for it.</p>}
      </div>
      {subscription !== null && <Renewal subscription={subscription} day={day} />}
      {plan === 'free' && (
        <LinkButton variant="secondary" to={upgradePath(path, `/${path}/settings`)} className="self-start">
          Upgrade
        </LinkButton>
      )}
      {/* One button, which keeps the focus. */}
      {subscription !== null && (
        <Button
          variant="secondary"
          className="self-start"
          busy={isSending && 'Saving...'}
          onClick={() => (subscription.renews ? setAsking(true) : void renewAfterAll())}
        >
          {subscription.renews ? 'Stop renewing…' : 'Renew after all'}
        </Button>
      )}
      {isAsking && (
        <ConfirmCall
          title="Stop renewing?"
          confirmLabel="Stop renewing"
          busy="Saving..."
          call={() => send(false)}
          onDone={(stopped) => {
            setAsking(false);
            setPlan(stopped);
            showToast(stopped.subscription ? 'The plan will not renew.' : 'The plan has ended.', 'success');
          }}
          onCancel={() => setAsking(false)}
        >
          <p>
            {subscription?.past_due
              ? `${PREMIUM_PLAN.name} was paid until ${day}, so it ends now, and your card is not charged again. The`
              : `${PREMIUM_PLAN.name} stays until ${day}, and your card is not charged again. Then the`}{' '}
            account is on the {FREE_PLAN.name} plan: its limits apply to new galleries and photos, and nothing is
            deleted.
          </p>
        </ConfirmCall>
      )}
    </>
  );
}

export const PLAN_SECTION = {
  id: 'plan',
  title: PLAN_TITLE,
  hint: 'What your account is on, and what is charged for it.',
} as const;

function limitsOf(plan: AccountPlan['plan']): string {
  if (plan !== 'free') return 'As many galleries and photos as you like.';
  return `${FREE_PLAN.maxActiveGalleries} active gallery with up to ${FREE_PLAN.maxPhotosPerGallery} photos.`;
}

function Renewal({ subscription, day }: { subscription: Paid; day: string }) {
  const { price, renews, past_due, card_brand, card_last4 } = subscription;
  const card = cardName({ brand: card_brand, last4: card_last4 });
  if (past_due && renews)
    return (
      <Notice tone="warning">
        The yearly payment of {dollarText(price)} was due on {day}, and {card} was declined. We will try again. If it is
        still declined, the account goes to the {FREE_PLAN.name} plan, and you can upgrade with another card.
      </Notice>
    );
  return (
    <p className="text-sm">
      {renews
        ? `Renews on ${day}: ${dollarText(price)} for a year, charged to ${card}.`
        : `Ends on ${day} and is not charged again. Nothing is deleted then.`}
    </p>
  );
}
