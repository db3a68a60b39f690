/** Card number, expiry and code. They never reach our own forms: the provider turns them into a token. */
import type { FieldErrors } from '#src/shared/problem.ts';
import { CONTROL, Field } from '#src/ui/field.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { callApi, type ApiResult } from '#src/web/api-client.ts';

export type CardEntry = { number: string; expiry: string; cvc: string };
export const EMPTY_CARD: CardEntry = { number: '', expiry: '', cvc: '' };

export type CardToken = { id: string; card: { brand: string; last4: string } };

type CardFieldsProps = { card: CardEntry; errors: FieldErrors; onChange: (card: CardEntry) => void };

/** Groups digits by four, as they stand on the card. */
function grouped(text: string): string {
  return text
    .replace(/\D/g, '')
    .slice(0, 19)
    .replace(/(\d{4})(?=\d)/g, '$1 ');
}

/** "1229" and "12/29" both become "12 / 29". */
function dated(text: string, before: string): string {
  const digits = text.replace(/\D/g, '').slice(0, 4);
  if (digits.length < 2 || (digits.length === 2 && before.length > text.length)) return digits;
  return `${digits.slice(0, 2)} / ${digits.slice(2)}`;
}

export function CardFields({ card, errors, onChange }: CardFieldsProps) {
  const expiryErrors = [...(errors['exp_month'] ?? []), ...(errors['exp_year'] ?? [])];
  return (
    <div className="flex flex-col gap-5">
      <Notice tone="warning">
        <strong>Test mode.</strong> No card is charged here. Pay with 4242 4242 4242 4242, any date to come and any
        three digits.
      </Notice>
      <Field label="Card number" errors={errors['number']}>
        {(control) => (
          <input
            {...control}
            type="text"
            inputMode="numeric"
            autoComplete="cc-number"
            placeholder="1234 1234 1234 1234"
            value={card.number}
            onChange={(event) => onChange({ ...card, number: grouped(event.target.value) })}
            className={`${CONTROL} tabular-nums`}
          />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-4">
        <TextField
          label="Expiry"
          inputMode="numeric"
          autoComplete="cc-exp"
          placeholder="MM / YY"
          value={card.expiry}
          errors={expiryErrors}
          onChange={(event) => onChange({ ...card, expiry: dated(event.target.value, card.expiry) })}
        />
        <TextField
          label="CVC"
          inputMode="numeric"
          autoComplete="cc-csc"
          placeholder="123"
          value={card.cvc}
          errors={errors['cvc']}
          onChange={(event) => onChange({ ...card, cvc: event.target.value.replace(/\D/g, '').slice(0, 4) })}
        />
      </div>
    </div>
  );
}

/** Trades the card for a token at the sandbox provider. */
export function tokenOf(card: CardEntry, zip: string): Promise<ApiResult<CardToken>> {
  const [month = '', year = ''] = card.expiry.split('/').map((part) => part.trim());
  const body = { number: card.number.replaceAll(' ', ''), exp_month: month, exp_year: year, cvc: card.cvc, zip };
  return callApi<CardToken>('POST', '/sandbox/tokens', { body });
}
