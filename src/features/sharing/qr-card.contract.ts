/** Texts of the printed card (specification A§2, "Gallery editor"). */
import * as z from 'zod/mini';

export const CARD_PURPOSES = ['gallery', 'unlock', 'contribute'] as const;
export type CardPurpose = (typeof CARD_PURPOSES)[number];

export const qrCardQuery = z.object({
  for: z._default(z.enum(CARD_PURPOSES, { error: 'Card must be gallery, unlock or contribute.' }), 'gallery'),
});

export const CARD_WORDS: Record<CardPurpose, { call: string; how: string }> = {
  gallery: { call: 'See the photos', how: 'Point your phone’s camera at the code and tap the link.' },
  unlock: {
    call: 'See the photos',
    how: 'Point your phone’s camera at the code and tap the link. It opens without a password.',
  },
  contribute: {
    call: 'Took photos? Add them!',
    how: 'Point your phone’s camera at the code and choose your photos. The team reviews them before anyone else sees them.',
  },
};
/** Printed instead of a name whose letters our fonts do not have. */
export const FALLBACK_NAME = 'Our photos';

export const OPENS_WITHOUT_PASSWORD = 'This gallery opens without a password.';
export const HAS_NO_CONTRIBUTOR_LINK = 'This gallery has no contributor link right now.';
export const CARD_FILE_NAME = 'qr-card';
