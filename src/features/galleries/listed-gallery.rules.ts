/** What a gallery's card shows, wherever it is. */
import type { PhotoPreview } from '#src/features/galleries/galleries.contract.ts';
import { publicDay, machineDay } from '#src/shared/dates.ts';
import type { Cents } from '#src/shared/money.ts';

/** A card of photos is one large and four small ones; the number of photos is told when there are more (specification P§2.4). */
export const CARD_PHOTOS = 5;

export type GalleryCardFacts = {
  id: number;
  name: string;
  /** Whose it is, where galleries of several are together. */
  owner: string | null;
  address: string;
  priceCents: Cents;
  photoCount: number;
  /** `MM.DD.YYYY` and the same for machines. */
  day: { shown: string; machine: string };
  isLocked: boolean;
  preview: readonly PhotoPreview[];
};

export function dayOf(moment: Date, timeZone: string): GalleryCardFacts['day'] {
  return { shown: publicDay(moment, timeZone), machine: machineDay(moment, timeZone) };
}
