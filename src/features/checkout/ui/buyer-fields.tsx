/** Who buys, with what browsers and phones need to fill the fields by themselves. */
import type { Buyer } from '#src/features/checkout/checkout-form.rules.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { TextField } from '#src/ui/text-field.tsx';

export type BuyerFieldsProps = { buyer: Buyer; errors: FieldErrors; onChange: (part: Partial<Buyer>) => void };

/** What a text field needs of one part of the buyer. */
export function buyerField({ buyer, errors, onChange }: BuyerFieldsProps, name: keyof Buyer) {
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

export function BuyerFields(props: BuyerFieldsProps) {
  return (
    <section aria-labelledby="buyer-heading" className="flex flex-col gap-5">
      <h2 id="buyer-heading" className="text-lg">
        Your name and email
      </h2>
      {/* Side by side where both names have space, at any size of text. */}
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
      <TextField
        label="Email"
        hint="We’ll email your receipt and download link here."
        {...EMAIL}
        {...buyerField(props, 'email')}
      />
      <TextField label="Confirm email" {...EMAIL} {...buyerField(props, 'confirm_email')} />
    </section>
  );
}
