/** The form of a price sheet: its values, the request that it sends, and its problems, with the contract's texts. */
import type { Offer, SheetContent } from '#src/features/offers/best-price.rules.ts';
import { newSheet, type OfferAnswer, type SheetAnswer } from '#src/features/offers/offers.contract.ts';
import { readMachineDay } from '#src/shared/day-range.ts';
import { typedDollars } from '#src/shared/form-values.ts';
import type { FieldErrors } from '#src/shared/problem.ts';

/** Numbers are text here, as typed. `key` identifies a row while the form is open. */
export type StepRow = { from: string; price: string };
export type OfferRow = {
  key: number;
  id: number | null;
  kind: Offer['kind'];
  photos: string;
  price: string;
  steps: readonly StepRow[];
};
export type SheetValues = {
  name: string;
  offers: readonly OfferRow[];
  ownPrices: boolean;
  isEarly: boolean;
  percent: string;
  lastDay: string;
  isShared: boolean;
};

const money = (price: number) => price.toFixed(2);

function rowOf(offer: Omit<OfferAnswer, 'id'> & { id?: number }, key: number): OfferRow {
  const given = offer as OfferAnswer;
  return {
    key,
    id: offer.id ?? null,
    kind: given.kind,
    photos: given.kind === 'bundle' ? String(given.photos) : '',
    price: given.kind === 'steps' ? '' : money(given.price),
    steps:
      given.kind === 'steps' ? given.steps.map(({ from, price }) => ({ from: String(from), price: money(price) })) : [],
  };
}

/** What a form starts with: an existing sheet, or a ready-made one that is not saved yet. */
export type SheetStart = Pick<SheetAnswer, 'name' | 'own_prices_take_part' | 'early_bird' | 'shared_with_children'> & {
  offers: readonly (Omit<OfferAnswer, 'id'> & { id?: number })[];
};

export const EMPTY_SHEET: SheetStart = {
  name: '',
  offers: [],
  own_prices_take_part: false,
  early_bird: null,
  shared_with_children: false,
};

export const valuesOf = (sheet: SheetStart): SheetValues => ({
  name: sheet.name,
  offers: sheet.offers.map(rowOf),
  ownPrices: sheet.own_prices_take_part,
  isEarly: sheet.early_bird !== null,
  percent: String(sheet.early_bird?.percent ?? ''),
  lastDay: sheet.early_bird?.last_day ?? '',
  isShared: sheet.shared_with_children,
});

/** An empty row of a kind, for the end of the list. */
export const newRow = (kind: Offer['kind'], rows: readonly OfferRow[]): OfferRow => ({
  key: Math.max(0, ...rows.map((row) => row.key)) + 1,
  id: null,
  kind,
  photos: '',
  price: '',
  steps: kind === 'steps' ? [1, 3].map((from) => ({ from: String(from), price: '' })) : [],
});

/** Moves a row to another position. */
export function movedRow(rows: readonly OfferRow[], key: number, to: number): OfferRow[] {
  const row = rows.find((each) => each.key === key);
  const others = rows.filter((each) => each.key !== key);
  return row ? others.toSpliced(to, 0, row) : [...rows];
}

const typedNumber = (text: string) => (/^\d{1,9}(\.\d{1,9})?$/.test(text.trim()) ? Number(text) : Number.NaN);

function bodyOfRow({ id, kind, photos, price, steps }: OfferRow): Record<string, unknown> {
  const known = id === null ? {} : { id };
  if (kind === 'bundle') return { ...known, kind, photos: typedNumber(photos), price: typedDollars(price) };
  if (kind === 'steps')
    return {
      ...known,
      kind,
      steps: steps.map((step) => ({ from: typedNumber(step.from), price: typedDollars(step.price) })),
    };
  return { ...known, kind, price: typedDollars(price) };
}

/** Whether the early bird still applies; null without one, and until it has a last day. */
export function earlyBirdState(
  { isEarly, lastDay }: Pick<SheetValues, 'isEarly' | 'lastDay'>,
  today: string,
): 'applies' | 'over' | null {
  if (!isEarly || readMachineDay(lastDay) === null) return null;
  return lastDay < today ? 'over' : 'applies';
}

/** The request body. */
export const bodyOf = (values: SheetValues) => ({
  name: values.name,
  offers: values.offers.map(bodyOfRow),
  own_prices_take_part: values.ownPrices,
  early_bird: values.isEarly ? { percent: typedNumber(values.percent), last_day: values.lastDay } : null,
  shared_with_children: values.isShared,
});

/** All problems by the path of their field: `offers.1.price`. */
export function problemsOf(values: SheetValues): FieldErrors {
  const errors: FieldErrors = {};
  for (const { path, message } of newSheet.safeParse(bodyOf(values)).error?.issues ?? [])
    (errors[path.join('.')] ??= []).push(message);
  return errors;
}

/** The complete rows of the form, for computing prices. Their ids are their positions. */
export function contentOf(values: SheetValues): SheetContent {
  const offers = values.offers.flatMap((row, at): Offer[] => {
    const body = newSheet.safeParse({ name: 'x', offers: [{ ...bodyOfRow(row), id: at + 1 }] }).data?.offers[0];
    if (!body) return [];
    const id = at + 1;
    if (body.kind === 'bundle') return [{ id, kind: body.kind, photos: body.photos, priceCents: body.price }];
    if (body.kind === 'steps')
      return [{ id, kind: body.kind, steps: body.steps.map(({ from, price }) => ({ from, priceCents: price })) }];
    return [{ id, kind: body.kind, priceCents: body.price }];
  });
  return { offers, ownPricesTakePart: values.ownPrices, earlyBird: null };
}
