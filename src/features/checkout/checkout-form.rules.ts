/** Problems of the checkout form before anything is sent, with the contract's texts. */
import {
  buyerForm,
  CARD_REQUIRED,
  DONATION_NOT_VALID,
  parseDonation,
  PRICES_CHANGED,
  subtotalNow,
  type BuyerForm,
} from '#src/features/orders/orders.contract.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { dollarText } from '#src/shared/money.ts';
import { errorsOf } from '#src/shared/validators.ts';

export type Buyer = { [Field in keyof Omit<BuyerForm, 'zip'>]: string } & { zip: string };

export const NO_BUYER: Buyer = { first_name: '', last_name: '', email: '', confirm_email: '', zip: '' };

/** Everything that the form checks or the server may refuse; the card entry is represented by a counter of its changes. */
export type CheckoutValues = Buyer & {
  donation: string;
  /** What must be fixed in the cart, sentence by sentence. */
  items: string;
  /** What the server may refuse besides photos: the passes of the cart, by their ids, and the code. */
  passes: string;
  codes: string;
  chargeNeeded: boolean;
  /** Also when codes pay for everything, because the tax depends on it. */
  zipNeeded: boolean;
  cardIsEmpty: boolean;
} & Record<CardField, number>;

/** Fields of the payment block, which shows its own problems. */
const CARD_FIELDS = ['card', 'number', 'exp_month', 'exp_year', 'cvc'] as const;
type CardField = (typeof CARD_FIELDS)[number];
const isOfCard = (field: string) => CARD_FIELDS.some((each) => each === field);

/** The card: whether it has a number, and how often it was changed. */
type CardState = { isEmpty: boolean; edits: number };

export function checkoutValues(
  buyer: Buyer,
  { isEmpty, edits }: CardState,
  rest: Pick<CheckoutValues, 'donation' | 'items' | 'passes' | 'codes' | 'chargeNeeded' | 'zipNeeded'>,
): CheckoutValues {
  const card = { card: edits, number: edits, exp_month: edits, exp_year: edits, cvc: edits };
  return { ...buyer, ...card, ...rest, cardIsEmpty: isEmpty };
}

export function buyerOf({ first_name, last_name, email, confirm_email, zip }: CheckoutValues): Buyer {
  return { first_name, last_name, email, confirm_email, zip };
}

/** All problems of the form. */
export function checkoutErrors(values: CheckoutValues): FieldErrors {
  const { chargeNeeded, zipNeeded, cardIsEmpty, donation, items } = values;
  const buyer = { ...buyerOf(values), ...(zipNeeded ? {} : { zip: null }) };
  const errors = errorsOf(buyerForm(zipNeeded).safeParse(buyer).error);
  if (parseDonation(donation) === null) errors['donation'] = [DONATION_NOT_VALID];
  if (chargeNeeded && cardIsEmpty) errors['number'] = [CARD_REQUIRED];
  if (items !== '') errors['items'] = items.split('\n');
  return errors;
}

/** The list above the form. It is empty if only the payment is wrong: that is shown at the card. */
export function listedErrors(errors: FieldErrors): string[] {
  if (isOnlyOfCard(errors)) return [];
  const { card: _atTheCard, ...others } = errors;
  return Object.values(others).flat();
}

/**
 * The list with both subtotals, in dollars, if the server refused the one that was sent: on a phone the amounts are far below.
 * A price that had changed before, and was shown, is not named again.
 */
export function withSubtotals(listed: string[], now: number | null, sent: number | null): string[] {
  if (!listed.includes(PRICES_CHANGED) || now === null || sent === null || now === sent) return listed;
  return [...listed, subtotalNow(dollarText(now), dollarText(sent))];
}

export function isOnlyOfCard(errors: FieldErrors): boolean {
  const fields = Object.keys(errors);
  return fields.length > 0 && fields.every(isOfCard);
}
