/** What a page needs to ask for a card, and the result of the card entry. */
import type { Ref } from 'react';
import type { FieldErrors } from '#src/shared/problem.ts';

/** The provider that turns the card into a token, and its public key; the sandbox has none. */
export type CardSetup = { provider: 'sandbox' | 'stripe'; publishableKey: string | null };

/** The specification's shape (P§6): what is shown of an added card. */
export type AddedCard = { brand: string; last4: string; exp_month: number; exp_year: number };

/** Of the provider, or of the sandbox. */
export type CardToken = { id: string };

/**
 * `token` is sent to our calls unchanged. `error` is one sentence; `errors` has it by field (number, exp_month, exp_year, cvc,
 * zip).
 */
export type CardAnswer = { token: CardToken; card: AddedCard } | { error: string; errors: FieldErrors };

export type CardHandle = {
  /** Exchanges the card for a token. Problems are also shown under the fields. */
  createToken(): Promise<CardAnswer>;
  isEmpty(): boolean;
  /** Focuses the first field with a problem, else the card number. */
  focus(errors?: FieldErrors): void;
  /** Clears the fields ("Reset Card"). */
  clear(): void;
};

/** Props of the card entry, whichever provider's fields it shows. */
export type CardEntryProps = CardSetup & {
  /** Prefix of its field ids. */
  id: string;
  ref?: Ref<CardHandle>;
  /** The zip of the surrounding form; without one the entry has its own field. */
  zip?: string;
  /** Problems that the form found, by field (number, exp_month, exp_year, cvc, zip). */
  errors?: FieldErrors;
  /** The provider refused this card: its number is marked, and the reason is shown above. */
  isRefused?: boolean;
  /** Called with every change of the card, the only thing that the form learns about it. */
  onEdit?: (card: { isEmpty: boolean }) => void;
};

/** Whether nothing real is charged: in the sandbox, and with test keys. */
export function isTestMode({ provider, publishableKey }: CardSetup): boolean {
  return provider === 'sandbox' || publishableKey?.startsWith('pk_test_') === true;
}

type WalletHolder = { name: string; email: string; zip: string };

/** The card's token for our calls, or why there is none. */
export type WalletToken = { token: CardToken } | { error: string; errors: FieldErrors };

export type WalletPayment = { holder: WalletHolder; takeToken: () => Promise<WalletToken> };

export type WalletProps = {
  publishableKey: string | null;
  /** Shown in the wallet's own sheet. */
  amountCents: number;
  /** The name in the sheet. */
  recipient: string;
  /** Whether paying can start now; otherwise no sheet opens, and the page says why. */
  mayStart: () => boolean;
  /** Pays; false if nothing was paid. */
  onPay: (payment: WalletPayment) => Promise<boolean>;
};

/** "Ruth Ann Okafor" for the form: the last word is the last name. */
export function splitName(name: string): { first_name: string; last_name: string } {
  const words = name.trim().split(/\s+/u);
  const last = words.length > 1 ? (words.at(-1) ?? '') : '';
  return { first_name: (last === '' ? words : words.slice(0, -1)).join(' '), last_name: last };
}
