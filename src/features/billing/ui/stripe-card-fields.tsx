/** Stripe's card entry: its own fields in its own frames, so that no card number reaches our page. Loaded when needed. */
import { useCallback, useEffect, useEffectEvent, useImperativeHandle, useRef, useState, type RefObject } from 'react';
import type {
  Stripe,
  StripeCardNumberElement,
  StripeElements,
  StripeElementStyle,
  StripeError,
} from '@stripe/stripe-js';
import type { CardAnswer } from '#src/features/billing/card-entry.contract.ts';
import { CARD_ENTRY_NOT_LOADED, loadStripeJs } from '#src/features/billing/stripe-js.client.ts';
import type { CardEntryProps } from '#src/features/billing/card-entry.contract.ts';
import { CARD_REQUIRED } from '#src/shared/card-token.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { Button } from '#src/ui/button.tsx';
import { cx } from '#src/ui/cx.ts';
import { CONTROL } from '#src/ui/form/control-style.ts';
import { Field } from '#src/ui/form/field.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';

const FIELDS = [
  { type: 'cardNumber', label: 'Card number', errors: ['number'] },
  { type: 'cardExpiry', label: 'Expiry', errors: ['exp_month', 'exp_year'] },
  { type: 'cardCvc', label: 'CVC', errors: ['cvc'] },
] as const;
type FieldType = (typeof FIELDS)[number]['type'];

type Entry = { stripe: Stripe; elements: StripeElements; number: StripeCardNumberElement };

export function StripeCardFields({
  id,
  ref,
  zip,
  publishableKey,
  errors: given = {},
  isRefused = false,
  onEdit,
}: CardEntryProps) {
  const places = useRef<Partial<Record<FieldType, HTMLElement | null>>>({});
  const [isEmpty, setIsEmpty] = useState(true);
  const [ownZip, setOwnZip] = useState('');
  const [refused, setRefused] = useState<FieldErrors>({});

  const { entry, state, retry } = useMountedFields(publishableKey, places, (type, event) => {
    const isNumber = type === 'cardNumber';
    if (isNumber) setIsEmpty(event.empty);
    setRefused({});
    onEdit?.({ isEmpty: isNumber ? event.empty : isEmpty });
  });

  useImperativeHandle(ref, () => ({
    isEmpty: () => isEmpty,
    focus(errors = {}) {
      const wrong = FIELDS.find((field) => field.errors.some((name) => errors[name]));
      entry.current?.elements.getElement((wrong?.type ?? 'cardNumber') as 'cardNumber')?.focus();
    },
    clear() {
      for (const { type } of FIELDS) entry.current?.elements.getElement(type as 'cardNumber')?.clear();
      setOwnZip('');
      setRefused({});
    },
    async createToken() {
      const answer = await tokenOf(entry.current, zip ?? ownZip);
      setRefused('error' in answer ? answer.errors : {});
      return answer;
    },
  }));

  const problemsOf = (fields: readonly string[]) => [
    ...new Set(fields.flatMap((field) => [...(given[field] ?? []), ...(refused[field] ?? [])])),
  ];
  const field = ({ type, label, errors }: (typeof FIELDS)[number]) => (
    <StripeField
      label={label}
      errors={problemsOf(errors)}
      isMarked={isRefused && type === 'cardNumber'}
      isLoading={state === 'loading'}
      place={(element) => void (places.current[type] = element)}
    />
  );
  return (
    <>
      {state === 'failed' && (
        <Notice tone="warning">
          <div role="alert">{CARD_ENTRY_NOT_LOADED}</div>
          <Button variant="secondary" className="mt-3" onClick={retry}>
            Try again
          </Button>
        </Notice>
      )}
      <div className={cx('flex flex-col gap-5', state === 'failed' && 'hidden')}>
        {field(FIELDS[0])}
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] gap-4">
          {field(FIELDS[1])}
          {field(FIELDS[2])}
        </div>
        {zip === undefined && (
          <TextField
            label="Zip"
            name={`${id}-zip`}
            inputMode="numeric"
            autoComplete="postal-code"
            value={ownZip}
            errors={problemsOf(['zip'])}
            onChange={(event) => setOwnZip(event.target.value.slice(0, 10))}
          />
        )}
      </div>
    </>
  );
}

type Places = RefObject<Partial<Record<FieldType, HTMLElement | null>>>;

/** Mounts Stripe's fields; reports if its script cannot be loaded. */
function useMountedFields(
  publishableKey: CardEntryProps['publishableKey'],
  places: Places,
  onEdit: (type: FieldType, event: { empty: boolean }) => void,
) {
  const entry = useRef<Entry | null>(null);
  const [state, setState] = useState<'loading' | 'ready' | 'failed'>('loading');
  const [attempt, setAttempt] = useState(0);
  const edited = useEffectEvent(onEdit);

  useEffect(() => {
    let isGone = false;
    let stop = () => undefined as void;
    const mount = async () => {
      const stripe = await loadStripeJs(publishableKey ?? '');
      if (isGone) return;
      const mounted = mountFields(stripe, places.current, (type, event) => edited(type, event));
      entry.current = mounted.entry;
      stop = mounted.stop;
      setState('ready');
    };
    mount().catch(() => {
      if (!isGone) setState('failed');
    });
    return () => {
      isGone = true;
      entry.current = null;
      stop();
    };
  }, [publishableKey, attempt, places]);

  const retry = useCallback(() => {
    setState('loading');
    setAttempt((count) => count + 1);
  }, []);
  return { entry, state, retry };
}

type StripeFieldProps = {
  label: string;
  errors: string[];
  isMarked: boolean;
  isLoading: boolean;
  place: (element: HTMLElement | null) => void;
};

/** A box in our style around Stripe's frame. Stripe finds the label by the box's id, and names its field itself. */
function StripeField({ label, errors, isMarked, isLoading, place }: StripeFieldProps) {
  return (
    <Field label={label} errors={errors} isMarked={isMarked}>
      {({ id, 'aria-invalid': invalid }) => (
        <div
          ref={place}
          id={id}
          data-invalid={invalid}
          aria-busy={isLoading}
          className={cx(
            CONTROL,
            'flex flex-col justify-center focus-within:outline-2 focus-within:outline-offset-2 focus-within:outline-accent data-invalid:border-2 data-invalid:border-danger',
            isLoading && 'animate-pulse',
          )}
        />
      )}
    </Field>
  );
}

/** Mounts Stripe's fields in the page's colors, and updates them when those change. */
function mountFields(
  stripe: Stripe,
  places: Partial<Record<FieldType, HTMLElement | null>>,
  onEdit: (type: FieldType, event: { empty: boolean }) => void,
): { entry: Entry; stop: () => void } {
  const elements = stripe.elements();
  const style = () => styleOf(places.cardNumber ?? document.body);
  const number = elements.create('cardNumber', { style: style(), showIcon: true });
  const others = [elements.create('cardExpiry', { style: style() }), elements.create('cardCvc', { style: style() })];
  const mounted = [number, ...others];
  mounted.forEach((element, index) => {
    const type = FIELDS[index]?.type ?? 'cardNumber';
    (element as StripeCardNumberElement).on('change', (event) => onEdit(type, event));
    const place = places[type];
    if (place) element.mount(place);
  });
  const scheme = window.matchMedia('(prefers-color-scheme: dark)');
  const repaint = () => mounted.forEach((element) => element.update({ style: style() }));
  scheme.addEventListener('change', repaint);
  return {
    entry: { stripe, elements, number },
    stop() {
      scheme.removeEventListener('change', repaint);
      for (const element of mounted) element.destroy();
    },
  };
}

/** Cross-origin frames cannot read our style sheet. */
function styleOf(place: Element): StripeElementStyle {
  const { color, fontSize } = getComputedStyle(place);
  const quiet = getComputedStyle(document.documentElement).getPropertyValue('--quiet').trim();
  return { base: { color, fontSize, '::placeholder': { color: quiet || 'gray' } }, invalid: { color } };
}

async function tokenOf(entry: Entry | null, zip: string): Promise<CardAnswer> {
  if (!entry) return { error: CARD_ENTRY_NOT_LOADED, errors: { number: [CARD_ENTRY_NOT_LOADED] } };
  try {
    const { token, error } = await entry.stripe.createToken(entry.number, { address_zip: zip, address_country: 'US' });
    if (error) return refusalOf(error);
    const { brand, last4, exp_month, exp_year } = token.card ?? {};
    if (!last4) return { error: CARD_REQUIRED, errors: { number: [CARD_REQUIRED] } };
    return {
      token: { id: token.id },
      card: { brand: brand ?? '', last4, exp_month: exp_month ?? 0, exp_year: exp_year ?? 0 },
    };
  } catch {
    return { error: CARD_ENTRY_NOT_LOADED, errors: { number: [CARD_ENTRY_NOT_LOADED] } };
  }
}

/** The provider's message under its field. */
function refusalOf({ message, code = '', param = '' }: StripeError): CardAnswer {
  const words = message ?? CARD_ENTRY_NOT_LOADED;
  const about = `${code} ${param}`;
  const name = /cvc/.test(about)
    ? 'cvc'
    : /exp\w*_year|year_past/.test(about)
      ? 'exp_year'
      : /exp/.test(about)
        ? 'exp_month'
        : /zip|postal/.test(about)
          ? 'zip'
          : 'number';
  return { error: words, errors: { [name]: [words] } };
}
