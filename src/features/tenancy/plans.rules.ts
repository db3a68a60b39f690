/** The plan table (rule 18) and the sentences made from it. No other file states a price, a limit or a share. */
import { cents, formatDollars, type Cents } from '#src/shared/money.ts';

/** Limits of the free tier (specification A§9). */
const FREE_ACTIVE_GALLERIES = 1;
export const FREE_PHOTOS_PER_GALLERY = 500;

export type Plan = {
  id: 'free' | 'premium' | 'enterprise';
  name: string;
  /** Null for a contract. */
  yearlyPriceCents: Cents | null;
  /** Null for no limit. */
  maxActiveGalleries: number | null;
  maxPhotosPerGallery: number | null;
  /** The maximum that the account keeps, in basis points, before card fees. */
  sellerKeepsBps: number;
  /** The share is agreed in a contract, up to `sellerKeepsBps`. */
  byContract: boolean;
};

export const FREE_PLAN: Plan = {
  id: 'free',
  name: 'Free',
  yearlyPriceCents: cents(0),
  maxActiveGalleries: FREE_ACTIVE_GALLERIES,
  maxPhotosPerGallery: FREE_PHOTOS_PER_GALLERY,
  sellerKeepsBps: 8_000,
  byContract: false,
};
export const PREMIUM_PLAN = {
  id: 'premium',
  name: 'Premium',
  yearlyPriceCents: cents(8_900),
  maxActiveGalleries: null,
  maxPhotosPerGallery: null,
  sellerKeepsBps: 8_000,
  byContract: false,
} satisfies Plan;
export const ENTERPRISE_PLAN: Plan = {
  id: 'enterprise',
  name: 'Enterprise',
  yearlyPriceCents: null,
  maxActiveGalleries: null,
  maxPhotosPerGallery: null,
  sellerKeepsBps: 10_000,
  byContract: true,
};

/** The plan of an organization. Enterprise keeps more than the other plans do (rule 18). */
export function planOf({ freeTier, shareBps }: { freeTier: boolean; shareBps: number }): Plan['id'] {
  if (freeTier) return FREE_PLAN.id;
  return 10_000 - shareBps > PREMIUM_PLAN.sellerKeepsBps ? ENTERPRISE_PLAN.id : PREMIUM_PLAN.id;
}

/** In the order in which they are shown. */
export const PLANS: readonly Plan[] = [FREE_PLAN, PREMIUM_PLAN, ENTERPRISE_PLAN];

/** What the platform keeps of each sale under a plan, in basis points. */
export const platformShareBps = (plan: Plan): number => 10_000 - plan.sellerKeepsBps;

/** Whether the plan allows one more active gallery. */
export function mayHaveAnotherGallery(freeTier: boolean, activeGalleries: number): boolean {
  return !freeTier || activeGalleries < FREE_ACTIVE_GALLERIES;
}

/** "80%" or "82.5%" of basis points. */
export function percentText(bps: number): string {
  return `${(bps / 100).toFixed(2).replace(/\.?0+$/, '')}%`;
}

/** "$0 forever", "$89 per year" or "Contact us". */
export function priceText(plan: Plan): string {
  if (plan.yearlyPriceCents === null) return 'Contact us';
  const dollars = formatDollars(plan.yearlyPriceCents).replace(/\.00$/, '');
  return plan.yearlyPriceCents === 0 ? `${dollars} forever` : `${dollars} per year`;
}

/** "89 dollars per year", as the upgrade page says it in words (specification P§2.4). */
export function yearlyPriceWords(plan: typeof PREMIUM_PLAN): string {
  return `${formatDollars(plan.yearlyPriceCents).replace(/^\$|\.00$/g, '')} dollars per year`;
}

/** What an account of this plan keeps, in words. */
export function keepsText(plan: Plan): string {
  return `Keep ${plan.byContract ? 'up to ' : ''}${percentText(plan.sellerKeepsBps)} of donations and photo sales, less card fees`;
}

/**
 * Where a buyer's money goes, by the seller's stored share (`shareBps` is what the platform keeps). The seller bears card fees,
 * so they are mentioned even if the platform keeps nothing, and only then it says "100%".
 */
export function buyerShareSentence(seller: { name: string; shareBps: number }): string {
  return `${percentText(10_000 - seller.shareBps)} of sales and donations, less card fees, benefit ${seller.name}.`;
}
