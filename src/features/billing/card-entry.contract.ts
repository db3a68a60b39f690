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

export type WalletHolder = { name: string; email: string; zip: string };

/** What is sent to our calls as the card, or why there is none. */
export type WalletToken = { token: unknown } | { error: string; errors: FieldErrors };

export type WalletPayment = { holder: WalletHolder; takeToken: () => Promise<WalletToken> };

export type WalletProps = {
  publishableKey: string | null;
  /** What the wallet's own sheet shows. */
  amountCents: number;
  /** Whose name the sheet carries. */
  recipient: string;
  /** Whether anything stands against paying now; then no sheet opens, and the page says what. */
  mayStart: () => boolean;
  /** Pays; false when nothing was paid. */
  onPay: (payment: WalletPayment) => Promise<boolean>;
};

/** "Ruth Ann Okafor" as the form has it: the last word is the last name. */
export function splitName(name: string): { first_name: string; last_name: string } {
  const words = name.trim().split(/\s+/u);
  const last = words.length > 1 ? (words.at(-1) ?? '') : '';
  return { first_name: (last === '' ? words : words.slice(0, -1)).join(' '), last_name: last };
}
