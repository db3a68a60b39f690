/**
 * Money is integer cents in the code and dollars as a JSON number at the edge (rule 15). Only this file converts
 * between the two.
 */

declare const centsBrand: unique symbol;
/** A whole number of US cents. */
export type Cents = number & { readonly [centsBrand]: true };

/** Marks a number that is already whole cents; throws if it is not whole. */
export function cents(value: number): Cents {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not whole cents: ${value}`);
  return value as Cents;
}

export const ZERO = cents(0);

const DOLLAR_TEXT = /^\$?(\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.(\d{1,2}))?$/;

/**
 * Parses dollars from text ("$1,234.50", "4", "2.5") into cents, without float arithmetic. Returns null for anything
 * else: signs, exponents, a third decimal, other digits.
 */
export function parseDollarText(text: string): Cents | null {
  const match = DOLLAR_TEXT.exec(text.trim());
  if (!match) return null;
  const whole = Number((match[1] ?? '').replaceAll(',', ''));
  const fraction = Number((match[2] ?? '').padEnd(2, '0') || '0');
  return cents(whole * 100 + fraction);
}

/**
 * Converts a JSON number of dollars with at most two decimals to cents; null if it is not one. The shortest text of a
 * number is exact, so 1.005 is refused rather than rounded.
 */
export function parseDollarNumber(dollars: number): Cents | null {
  if (!Number.isFinite(dollars) || dollars < 0) return null;
  return parseDollarText(String(dollars));
}

/** Cents as a JSON number of dollars, as the API uses it (450 → 4.5). Throws if they are not whole. */
export function toDollars(amountCents: number): number {
  return cents(amountCents) / 100;
}

/** The inverse, for an amount that the API returned. */
export function fromDollars(dollars: number): Cents {
  return cents(Math.round(dollars * 100));
}

/**
 * Cents as people read them: "$1,234.50". Without `Intl`, which takes four times as long: one price shows a dozen
 * amounts. Throws if they are not whole.
 */
export function formatDollars(amountCents: number): string {
  const amount = cents(amountCents);
  const [whole, rest] = [Math.floor(Math.abs(amount) / 100), Math.abs(amount) % 100];
  const grouped = whole < 1_000 ? whole : String(whole).replace(/\B(?=(?:\d{3})+$)/g, ',');
  return `${amount < 0 ? '-' : ''}$${grouped}.${rest < 10 ? '0' : ''}${rest}`;
}

/** An amount that the API returned, as people read it. */
export const dollarText = (dollars: number): string => formatDollars(fromDollars(dollars));

/** Adds amounts. */
export function sumCents(amounts: readonly Cents[]): Cents {
  return cents(amounts.reduce((total, amount) => total + amount, 0));
}

/** A rate of an amount, rounded half up; `rate / scale` is the fraction (290 / 10000 = 2.9 %). */
export function portionHalfUp(amount: Cents, rate: number, scale: number): Cents {
  const exact = BigInt(amount) * BigInt(rate);
  return cents(Number((exact * 2n + BigInt(scale)) / (BigInt(scale) * 2n)));
}
