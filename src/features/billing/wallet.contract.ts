/** What a wallet (Apple Pay, Google Pay, Link) tells about its holder, and hands over to pay with. */
import type { FieldErrors } from '#src/shared/problem.ts';

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
