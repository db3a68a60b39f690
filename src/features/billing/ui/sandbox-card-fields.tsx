/** The card entry of the sandbox: fields of our own, traded for a token at its own door. */
import { useImperativeHandle, useState, type ChangeEvent } from 'react';
import type { AddedCard, CardAnswer } from '#src/features/billing/card-entry.contract.ts';
import type { CardEntryProps } from '#src/features/billing/ui/card-entry.tsx';
import type { FieldErrors } from '#src/shared/problem.ts';
import { CONTROL, Field } from '#src/ui/field.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import { callApi } from '#src/web/api-client.ts';

type Typed = { number: string; expiry: string; cvc: string; zip: string };
const NOTHING: Typed = { number: '', expiry: '', cvc: '', zip: '' };

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

export function SandboxCardFields({ id, ref, zip, errors: given = {} }: CardEntryProps) {
  const [typed, setTyped] = useState(NOTHING);
  const [refused, setRefused] = useState<FieldErrors>({});
  useImperativeHandle(ref, () => ({
    isEmpty: () => typed.number.trim() === '',
    clear() {
      setTyped(NOTHING);
      setRefused({});
    },
    async createToken() {
      const answer = await tokenOf({ ...typed, zip: zip ?? typed.zip });
      setRefused('error' in answer ? answer.errors : {});
      return answer;
    },
  }));

  const problemsOf = (...fields: string[]) => [
    ...new Set(fields.flatMap((field) => [...(given[field] ?? []), ...(refused[field] ?? [])])),
  ];
  const change = (name: keyof Typed, shaped: (text: string) => string) => (event: ChangeEvent<HTMLInputElement>) =>
    setTyped({ ...typed, [name]: shaped(event.target.value) });
  return (
    <>
      <Field label="Card number" errors={problemsOf('number')}>
        {(control) => (
          <input
            {...control}
            type="text"
            name={`${id}-number`}
            inputMode="numeric"
            autoComplete="cc-number"
            placeholder="1234 1234 1234 1234"
            value={typed.number}
            onChange={change('number', grouped)}
            className={`${CONTROL} tabular-nums`}
          />
        )}
      </Field>
      <div className="grid grid-cols-2 gap-4">
        <TextField
          label="Expiry"
          name={`${id}-expiry`}
          inputMode="numeric"
          autoComplete="cc-exp"
          placeholder="MM / YY"
          value={typed.expiry}
          errors={problemsOf('exp_month', 'exp_year')}
          onChange={change('expiry', (text) => dated(text, typed.expiry))}
        />
        <TextField
          label="CVC"
          name={`${id}-cvc`}
          inputMode="numeric"
          autoComplete="cc-csc"
          placeholder="123"
          value={typed.cvc}
          errors={problemsOf('cvc')}
          onChange={change('cvc', (text) => text.replace(/\D/g, '').slice(0, 4))}
        />
      </div>
      {zip === undefined && (
        <TextField
          label="Zip"
          name={`${id}-zip`}
          inputMode="numeric"
          autoComplete="postal-code"
          value={typed.zip}
          errors={problemsOf('zip')}
          onChange={change('zip', (text) => text.slice(0, 10))}
        />
      )}
    </>
  );
}

async function tokenOf(card: Typed): Promise<CardAnswer> {
  const [month = '', year = ''] = card.expiry.split('/').map((part) => part.trim());
  const body = {
    number: card.number.replaceAll(' ', ''),
    exp_month: month,
    exp_year: year,
    cvc: card.cvc,
    zip: card.zip,
  };
  const taken = await callApi<{ id: string; card: AddedCard }>('POST', '/sandbox/tokens', { body });
  if (taken.ok) return { token: taken.data, card: taken.data.card };
  return { error: taken.error, errors: taken.errors };
}
