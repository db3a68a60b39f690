/** What a page must know to ask for a card, and what the card entry hands back. */
import type { Ref } from 'react';
import type { FieldErrors } from '#src/shared/problem.ts';

/** Which provider turns the card into a token, and with which public key; none in the sandbox. */
export type CardSetup = { provider: 'sandbox' | 'stripe'; publishableKey: string | null };

/** The specification's shape (P§6): what is shown of a card that was added. */
export type AddedCard = { brand: string; last4: string; exp_month: number; exp_year: number };

/** `token` is sent to our calls as it is. `error` is one sentence; `errors` says it by field (number, exp_month, exp_year, cvc, zip). */
export type CardAnswer = { token: unknown; card: AddedCard } | { error: string; errors: FieldErrors };

export type CardHandle = {
  /** Trades the card for a token. Problems are shown under the fields as well. */
  createToken(): Promise<CardAnswer>;
  isEmpty(): boolean;
  /** Puts the cursor into the first field that has a problem, else into the card number. */
  focus(errors?: FieldErrors): void;
  /** Forgets what was typed ("Reset Card"). */
  clear(): void;
};

/** Of the card entry, whichever provider's fields it shows. */
export type CardEntryProps = CardSetup & {
  /** Begins the ids of its fields. */
  id: string;
  ref?: Ref<CardHandle>;
  /** The zip of the form around it; without one the entry asks for it itself. */
  zip?: string;
  /** Problems that the form found, by field (number, exp_month, exp_year, cvc, zip). */
  errors?: FieldErrors;
  /** The provider said no to this card: its number is marked, the reason is above. */
  isRefused?: boolean;
  /** Hears of every change of the card, of which the form around it sees nothing else. */
  onEdit?: (card: { isEmpty: boolean }) => void;
};

/** Whether nothing real is charged: in the sandbox, and with test keys. */
export function isTestMode({ provider, publishableKey }: CardSetup): boolean {
  return provider === 'sandbox' || publishableKey?.startsWith('pk_test_') === true;
}
