/** Name, email and zip of the buyer, with the attributes that browsers and phones need for autofill. */
import { isOnlyOfCard, type Buyer } from '#src/features/checkout/checkout-form.rules.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { TextField } from '#src/ui/form/text-field.tsx';
import { useEffect, useEffectEvent, useRef, type RefObject } from 'react';
import type { CardHandle, CardSetup } from '#src/features/billing/card-entry.contract.ts';
import { CardEntry } from '#src/features/billing/ui/card-entry.tsx';
import { CircleAlert } from '#src/ui/icon.tsx';

type BuyerFieldsProps = { buyer: Buyer; errors: FieldErrors; onChange: (part: Partial<Buyer>) => void };

/** The props of a text field for one part of the buyer. */
function buyerField({ buyer, errors, onChange }: BuyerFieldsProps, name: keyof Buyer) {
  return {
    name,
    value: buyer[name],
    errors: errors[name],
    enterKeyHint: 'next' as const,
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
  };
}

const EMAIL = {
  type: 'email',
  inputMode: 'email',
  autoComplete: 'email',
  autoCapitalize: 'none',
  spellCheck: false,
} as const;

export function BuyerFields({
  hint = 'We’ll email your receipt and download link here.',
  ...props
}: BuyerFieldsProps & { hint?: string }) {
  return (
    <section aria-labelledby="buyer-heading" className="flex flex-col gap-5">
      <h2 id="buyer-heading" className="text-lg">
        Your name and email
      </h2>
      {/* Side by side if both names fit, at any text size. */}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,12rem),1fr))] gap-x-4 gap-y-5">
        <TextField
          label="First name"
          autoComplete="given-name"
          autoCapitalize="words"
          {...buyerField(props, 'first_name')}
        />
        <TextField
          label="Last name"
          autoComplete="family-name"
          autoCapitalize="words"
          {...buyerField(props, 'last_name')}
        />
      </div>
      <TextField label="Email" hint={hint} {...EMAIL} {...buyerField(props, 'email')} />
      <TextField label="Confirm email" {...EMAIL} {...buyerField(props, 'confirm_email')} />
    </section>
  );
}

type PaymentFieldsProps = BuyerFieldsProps & {
  cards: CardSetup;
  card: RefObject<CardHandle | null>;
  /** Counts the tries. */
  attempt: number;
  onEditCard: (card: { isEmpty: boolean }) => void;
};

/** Card and zip. A refused card is reported here, above its number, close to the thumb. */
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
      <ZipField {...form} />
    </section>
  );
}

/** For the card and the tax. */
export function ZipField(form: BuyerFieldsProps) {
  return (
    <TextField
      label="Zip"
      inputMode="numeric"
      autoComplete="postal-code"
      maxLength={10}
      className="max-w-48"
      {...buyerField(form, 'zip')}
      enterKeyHint="go"
    />
  );
}
