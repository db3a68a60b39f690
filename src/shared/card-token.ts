/** The card as a browser sends it: orders, sign-up and upgrade parse it with this one parser. */
import * as z from 'zod/mini';

export const CARD_REQUIRED = 'Please enter a card.';
export const CARD_NOT_READABLE = 'We couldn’t read this card. Please enter it again.';

/** If the card provider cannot be used, and has confirmed that nothing was charged. */
export const PAYMENT_UNAVAILABLE = 'Payment service unavailable, you were not charged.';

const tokenId = z.string().check(z.maxLength(255));

/** The sandbox's answer, Stripe's `{token:{id,…}}` or `{id,…}`, or the id as text; null if there is none. */
export const cardToken = z.pipe(
  z.union(
    [z.null(), tokenId, z.looseObject({ id: tokenId }), z.looseObject({ token: z.looseObject({ id: tokenId }) })],
    { error: CARD_NOT_READABLE },
  ),
  z.transform((value): string | null => {
    const id =
      value === null || typeof value === 'string'
        ? value
        : 'id' in value
          ? value.id
          : (value as { token: { id: string } }).token.id;
    return typeof id === 'string' && id.trim() !== '' ? id.trim() : null;
  }),
);
