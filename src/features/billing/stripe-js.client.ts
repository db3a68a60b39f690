/** Stripe's own script, loaded from Stripe, and only on pages that need a card or 3-D Secure. */
import type { Stripe } from '@stripe/stripe-js';

export const CARD_ENTRY_NOT_LOADED = 'The card form didn’t load. Check your connection and try again.';

const loading = new Map<string, Promise<Stripe>>();

/** @throws when the script cannot be loaded; the next call tries again. */
export function loadStripeJs(publishableKey: string): Promise<Stripe> {
  const known = loading.get(publishableKey);
  if (known) return known;
  const stripe = load(publishableKey);
  loading.set(publishableKey, stripe);
  stripe.catch(() => loading.delete(publishableKey));
  return stripe;
}

async function load(publishableKey: string): Promise<Stripe> {
  const { loadStripe } = await import('@stripe/stripe-js/pure');
  const stripe = await loadStripe(publishableKey);
  if (!stripe) throw new Error('Stripe runs only in a browser');
  return stripe;
}

/** Shows Stripe's own dialog for 3-D Secure. Returns null, or Stripe's message if it failed. */
export async function askBank(publishableKey: string, clientSecret: string): Promise<string | null> {
  try {
    const stripe = await loadStripeJs(publishableKey);
    const { error } = await stripe.handleNextAction({ clientSecret });
    return error ? (error.message ?? CARD_ENTRY_NOT_LOADED) : null;
  } catch {
    return CARD_ENTRY_NOT_LOADED;
  }
}
