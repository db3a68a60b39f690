/** What a report counts and how its rows add up (specification A§2; design of the calls, "Totals in reports"). */
import { cents, sumCents, type Cents } from '#src/shared/money.ts';

/** Amounts in cents, net of refunds; `fees` are what the card provider kept, `share` what the platform keeps. */
export type Totals = {
  orders: number;
  photos: number;
  salesCents: Cents;
  donationsCents: Cents;
  taxCents: Cents;
  refundsCents: Cents;
  feesCents: Cents;
  shareCents: Cents;
  /** What the organisation gets, by the books. */
  netCents: Cents;
};

export type ReportRow = { id: number; name: string; path: string; totals: Totals };

/** The sum of all rows. */
export function sumOf(rows: readonly Totals[]): Totals {
  const add = (pick: (totals: Totals) => Cents): Cents => sumCents(rows.map(pick));
  return {
    orders: rows.reduce((sum, row) => sum + row.orders, 0),
    photos: rows.reduce((sum, row) => sum + row.photos, 0),
    salesCents: add((row) => row.salesCents),
    donationsCents: add((row) => row.donationsCents),
    taxCents: add((row) => row.taxCents),
    refundsCents: add((row) => row.refundsCents),
    feesCents: add((row) => row.feesCents),
    shareCents: add((row) => row.shareCents),
    netCents: add((row) => row.netCents),
  };
}

/** What the books say of an organisation's orders, and what those orders were. */
export type BookedSales = Omit<Totals, 'feesCents'>;

/** The card fees are what is left of the buyers' money after refunds, tax, the platform's share and the organisation's part. */
export function totalsOf(booked: BookedSales): Totals {
  const paid = booked.salesCents + booked.donationsCents + booked.taxCents - booked.refundsCents;
  const kept = booked.taxCents + booked.shareCents + booked.netCents;
  return { ...booked, feesCents: cents(paid - kept) };
}

export const PERIODS = ['30-days', '12-months', 'all'] as const;
export type Period = (typeof PERIODS)[number];

const LENGTHS: Record<Period, string | null> = { '30-days': '29 days', '12-months': '12 months', all: null };

/** How far back a period reaches from today, as PostgreSQL writes it; null: without an end. */
export function lengthOf(period: Period): string | null {
  return LENGTHS[period];
}

/** The period of an address; the last 30 days where it names none. */
export function readPeriod(value: string | null): Period {
  return PERIODS.find((period) => period === value) ?? '30-days';
}
