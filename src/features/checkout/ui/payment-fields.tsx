/** Card and zip. A card that is refused is told here, above its number, where the thumb already is. */
import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import type { CardHandle, CardSetup } from '#src/features/billing/card-entry.contract.ts';
import { CardEntry } from '#src/features/billing/ui/card-entry.tsx';
import { isOnlyOfCard } from '#src/features/checkout/checkout-form.rules.ts';
import { buyerField, type BuyerFieldsProps } from '#src/features/checkout/ui/buyer-fields.tsx';
import { CircleAlert } from '#src/ui/icon.tsx';
import { TextField } from '#src/ui/text-field.tsx';

type PaymentFieldsProps = BuyerFieldsProps & {
  cards: CardSetup;
  card: RefObject<CardHandle | null>;
  /** Counts the tries. */
  attempt: number;
  onEditCard: (card: { isEmpty: boolean }) => void;
};

export function PaymentFields({ cards, card, attempt, onEditCard, ...form }: PaymentFieldsProps) {
  const { errors, buyer } = form;
  const section = useRef<HTMLElement>(null);
  const goToCard = useEffectEvent(() => {
    if (!isOnlyOfCard(errors)) return;
    card.current?.focus(errors);
    section.current?.scrollIntoView({ block: 'center' });
  });
  useEffect(() => {
    if (attempt > 0) goToCard();
  }, [attempt]);

  const [reason, ...advice] = errors['card'] ?? [];
  return (
    <section ref={section} aria-labelledby="card-heading" className="flex flex-col gap-5">
      <h2 id="card-heading" className="text-lg">
        Payment
      </h2>
      <div role="alert" className="empty:hidden">
        {reason && (
          <p className="flex gap-3 rounded border border-danger bg-danger-tint p-4 text-sm">
            <CircleAlert aria-hidden="true" className="size-5 shrink-0 text-danger" />
            <span>
              <strong>{reason}</strong> {advice.join(' ')}
            </span>
          </p>
        )}
      </div>
      <CardEntry
        id="card"
        ref={card}
        {...cards}
        zip={buyer.zip}
        errors={errors}
        isRefused={reason !== undefined}
        onEdit={onEditCard}
      />
      <TextField
        label="Zip"
        inputMode="numeric"
        autoComplete="postal-code"
        maxLength={10}
        className="max-w-48"
        {...buyerField(form, 'zip')}
        enterKeyHint="go"
      />
    </section>
  );
}
