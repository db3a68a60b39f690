/** Amount, receiver and payment. */
import { useRef, useState, type FormEvent, type ReactNode } from 'react';
import type { CardHandle, CardSetup } from '#src/features/billing/card-entry.contract.ts';
import { askBank } from '#src/features/billing/stripe-js.client.ts';
import { BuyerFields, PaymentFields } from '#src/features/checkout/ui/buyer-fields.tsx';
import {
  BOUGHT_BEFORE,
  MAX_DAYS_AHEAD,
  MAX_MESSAGE,
  type SettingsAnswer,
} from '#src/features/credit-shop/credit-shop.contract.ts';
import { sendCreditOrder } from '#src/features/credit-shop/ui/send-credit-order.ts';
import { creditName, useRestoredForTab } from '#src/features/credit-shop/ui/use-restored-for-tab.ts';
import { CARD_REQUIRED } from '#src/features/orders/orders.contract.ts';
import { addDays, shownDay } from '#src/shared/day-range.ts';
import { dollarText } from '#src/shared/money.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { Button } from '#src/ui/button.tsx';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { TextArea } from '#src/ui/form/text-area.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { showToast } from '#src/ui/toast.ts';
import { storeInTab } from '#src/web/tab-storage.ts';
import { useFormErrors } from '#src/web/use-form.ts';
import { NO_BUYER } from '#src/features/checkout/checkout-form.rules.ts';

type BuyCreditFormProps = {
  seller: { id: number; name: string };
  offered: SettingsAnswer;
  /** In the seller's zone. */
  today: string;
  cards: CardSetup;
  onOrdered: (vanityId: string) => void;
  /** The amounts or the bonus may be others now. */
  onChanged: () => void;
};

const NO_GIFT = { name: '', receiver: '', message: '', sendOn: '' };

export function BuyCreditForm({ seller, offered, today, cards, onOrdered, onChanged }: BuyCreditFormProps) {
  const [wanted, setWanted] = useState(1);
  const chosen = Math.min(wanted, offered.amounts.length - 1);
  const [typed, setTyped] = useRestoredForTab(creditName(seller.id), {
    isGift: false,
    buyer: NO_BUYER,
    gift: { ...NO_GIFT, sendOn: today },
  });
  const { isGift, buyer, gift } = typed;
  const changeBuyer = (part: Partial<typeof buyer>) =>
    setTyped((now) => ({ ...now, buyer: { ...now.buyer, ...part } }));
  const [edits, setEdits] = useState(0);
  const [isSending, setIsSending] = useState(false);
  const card = useRef<CardHandle>(null);
  const { amount, bonus } = offered.amounts[chosen] ?? { amount: 0, bonus: 0 };
  const order = {
    org_id: seller.id,
    amount,
    bonus,
    gift: isGift ? { name: gift.name, email: gift.receiver, message: gift.message, send_on: gift.sendOn } : null,
    user: buyer,
  };
  const ofCard = { card: edits, number: edits, exp_month: edits, exp_year: edits, cvc: edits };
  const values = { ...buyer, ...gift, ...ofCard, isGift, chosen };
  const { errors, attempt, show } = useFormErrors<typeof values>(values, () => ({}));

  async function send(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isSending) return;
    setIsSending(true);
    const answer = await sendCreditOrder({
      order,
      takeToken: async () => card.current?.createToken() ?? NO_CARD,
      askBank: (clientSecret) => askBank(cards.publishableKey ?? '', clientSecret),
    });
    setIsSending(false);
    if (answer.kind === 'ordered') {
      storeInTab(creditName(seller.id), null);
      if (answer.before) showToast(BOUGHT_BEFORE);
      return onOrdered(answer.vanityId);
    }
    show(answer.errors);
    if (answer.isOtherOffer) onChanged();
  }

  const { card: _atTheCard, ...listed } = errors;
  return (
    <form method="dialog" noValidate onSubmit={(event) => void send(event)} className="flex flex-col gap-8">
      <ErrorList messages={Object.values(listed).flat()} attempt={attempt} />
      <Amounts offered={offered} chosen={chosen} onChoose={setWanted} />
      <Whose isGift={isGift} onChoose={(now) => setTyped({ ...typed, isGift: now })}>
        <GiftFields
          gift={gift}
          errors={errors}
          today={today}
          bonusUntil={bonus > 0 ? offered.bonus_until : null}
          onChange={(part) => setTyped((now) => ({ ...now, gift: { ...now.gift, ...part } }))}
        />
      </Whose>
      <BuyerFields
        buyer={buyer}
        errors={errors}
        hint={
          isGift ? 'We’ll email your receipt and the gift card here.' : 'We’ll email your receipt and your code here.'
        }
        onChange={changeBuyer}
      />
      <PaymentFields
        buyer={buyer}
        errors={errors}
        onChange={changeBuyer}
        cards={cards}
        card={card}
        attempt={attempt}
        onEditCard={() => setEdits((count) => count + 1)}
      />
      <Button type="submit" size="large" busy={isSending && 'Submitting...'} className="w-full">
        Pay {dollarText(amount)}
      </Button>
    </form>
  );
}

const NO_CARD = { error: CARD_REQUIRED, errors: { number: [CARD_REQUIRED] } };

type WhoseProps = { isGift: boolean; onChoose: (isGift: boolean) => void; children: ReactNode };

function Whose({ isGift, onChoose, children }: WhoseProps) {
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-2 text-lg font-bold">Who is it for?</legend>
      <div className="grid grid-cols-2 gap-3">
        <Choice name="whose" checked={!isGift} onChoose={() => onChoose(false)}>
          For myself
        </Choice>
        <Choice name="whose" checked={isGift} onChoose={() => onChoose(true)}>
          As a gift
        </Choice>
      </div>
      {isGift && children}
    </fieldset>
  );
}

type ChoiceProps = { name: string; checked: boolean; onChoose: () => void; children: ReactNode };

function Choice({ name, checked, onChoose, children }: ChoiceProps) {
  return (
    <label className="flex min-h-14 cursor-pointer items-center gap-3 rounded border border-line-strong bg-surface p-3 has-checked:border-accent has-checked:outline-1 has-checked:outline-accent">
      <input type="radio" name={name} checked={checked} onChange={onChoose} className="size-4 shrink-0 accent-accent" />
      <span className="min-w-0">{children}</span>
    </label>
  );
}

type AmountsProps = { offered: SettingsAnswer; chosen: number; onChoose: (at: number) => void };

function Amounts({ offered, chosen, onChoose }: AmountsProps) {
  return (
    <fieldset>
      <legend className="mb-2 text-lg font-bold">How much?</legend>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-3">
        {offered.amounts.map(({ amount, bonus }, at) => (
          <Choice key={amount} name="amount" checked={chosen === at} onChoose={() => onChoose(at)}>
            {bonus > 0 ? `Pay ${dollarText(amount)}, get ${dollarText(amount + bonus)}` : dollarText(amount)}
          </Choice>
        ))}
      </div>
      {offered.bonus_until !== null && offered.amounts.some(({ bonus }) => bonus > 0) && (
        <p className="mt-2 text-sm text-quiet">
          Your bonus is spent first, on photos, until {shownDay(offered.bonus_until)}. What you pay never expires.
        </p>
      )}
    </fieldset>
  );
}

type GiftFieldsProps = {
  gift: typeof NO_GIFT;
  errors: FieldErrors;
  today: string;
  /** The last day of the chosen amount's bonus; null if it has none. */
  bonusUntil: string | null;
  onChange: (part: Partial<typeof NO_GIFT>) => void;
};

function GiftFields({ gift, errors, today, bonusUntil, onChange }: GiftFieldsProps) {
  const field = (name: keyof typeof NO_GIFT) => ({
    value: gift[name],
    errors: errors[name],
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
  });
  return (
    <div className="flex flex-col gap-5">
      <TextField label="Recipient’s name" name="gift_name" autoComplete="off" maxLength={100} {...field('name')} />
      <TextField
        type="email"
        spellCheck={false}
        label="Recipient’s email"
        name="gift_email"
        autoComplete="off"
        hint="We use it only for the gift, and delete it afterwards."
        {...field('receiver')}
      />
      <TextArea
        label="Your message (optional)"
        name="gift_message"
        rows={2}
        maxLength={MAX_MESSAGE}
        {...field('message')}
      />
      <TextField
        label="Send it on"
        name="gift_day"
        type="date"
        min={today}
        max={addDays(today, MAX_DAYS_AHEAD)}
        hint={
          bonusUntil !== null && gift.sendOn > bonusUntil
            ? `The bonus ends on ${shownDay(bonusUntil)}, before this day.`
            : 'You can print the gift card right away.'
        }
        {...field('sendOn')}
      />
    </div>
  );
}
