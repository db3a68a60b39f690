/**
 * Card number, expiry and code, for checkout, sign-up and upgrade. They never reach our own forms: the provider turns them into
 * a token.
 */
import { lazy, Suspense, useImperativeHandle, useRef, useState, type ChangeEvent } from 'react';
import { isTestMode, type CardEntryProps, type CardAnswer } from '#src/features/billing/card-entry.contract.ts';
import { Notice } from '#src/ui/notice.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';
import type { FieldErrors } from '#src/shared/problem.ts';
import { CONTROL } from '#src/ui/form/control-style.ts';
import { Field } from '#src/ui/form/field.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { api } from '#src/web/api-client.ts';

/** Stripe's fields are loaded only where they are shown. */
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

type Typed = { number: string; expiry: string; cvc: string; zip: string };
const NOTHING: Typed = { number: '', expiry: '', cvc: '', zip: '' };

/** Groups digits by four, as on a card. */
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

/** The field of each problem. */
const FIELDS: Record<keyof Typed, readonly string[]> = {
  number: ['number'],
  expiry: ['exp_month', 'exp_year'],
  cvc: ['cvc'],
  zip: ['zip'],
};

function SandboxCardFields({ id, ref, zip, errors: given = {}, isRefused = false, onEdit }: CardEntryProps) {
  const inputs = useRef<Partial<Record<keyof Typed, HTMLInputElement | null>>>({});
  const [typed, setTyped] = useState(NOTHING);
  const [refused, setRefused] = useState<FieldErrors>({});
  useImperativeHandle(ref, () => ({
    isEmpty: () => typed.number.trim() === '',
    focus(errors = {}) {
      const wrong = (['number', 'expiry', 'cvc'] as const).find((name) => FIELDS[name].some((field) => errors[field]));
      inputs.current[wrong ?? 'number']?.focus();
    },
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

  const problemsOf = (name: keyof Typed) => [
    ...new Set(FIELDS[name].flatMap((field) => [...(given[field] ?? []), ...(refused[field] ?? [])])),
  ];
  const control = (name: keyof Typed, shaped: (text: string) => string) => ({
    name: `${id}-${name}`,
    inputMode: 'numeric' as const,
    enterKeyHint: 'next' as const,
    value: typed[name],
    ref: (input: HTMLInputElement | null) => void (inputs.current[name] = input),
    onChange(event: ChangeEvent<HTMLInputElement>) {
      const next = { ...typed, [name]: shaped(event.target.value) };
      setTyped(next);
      setRefused((before) => without(before, FIELDS[name]));
      onEdit?.({ isEmpty: next.number.trim() === '' });
    },
  });
  return (
    <>
      <Field label="Card number" errors={problemsOf('number')} isMarked={isRefused}>
        {(described) => (
          <input
            {...control('number', grouped)}
            {...described}
            type="text"
            autoComplete="cc-number"
            placeholder="1234 1234 1234 1234"
            className={`${CONTROL} tabular-nums`}
          />
        )}
      </Field>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] gap-4">
        <TextField
          label="Expiry"
          autoComplete="cc-exp"
          placeholder="MM / YY"
          errors={problemsOf('expiry')}
          {...control('expiry', (text) => dated(text, typed.expiry))}
        />
        <TextField
          label="CVC"
          autoComplete="cc-csc"
          placeholder="123"
          errors={problemsOf('cvc')}
          {...control('cvc', (text) => text.replace(/\D/g, '').slice(0, 4))}
        />
      </div>
      {zip === undefined && (
        <TextField
          label="Zip"
          autoComplete="postal-code"
          errors={problemsOf('zip')}
          {...control('zip', (text) => text.slice(0, 10))}
        />
      )}
    </>
  );
}

const without = (errors: FieldErrors, fields: readonly string[]): FieldErrors =>
  Object.fromEntries(Object.entries(errors).filter(([field]) => !fields.includes(field)));

async function tokenOf(card: Typed): Promise<CardAnswer> {
  const [month = '', year = ''] = card.expiry.split('/').map((part) => part.trim());
  const body = {
    number: card.number.replaceAll(' ', ''),
    exp_month: month,
    exp_year: year,
    cvc: card.cvc,
    zip: card.zip,
  };
  const taken = await api('POST /sandbox/tokens', { body });
  if (taken.ok) return { token: taken.data, card: taken.data.card };
  return { error: taken.error, errors: taken.errors };
}
