/** What a buyer reads of a sold photo that a family does not allow any more. */
export const PHOTO_WITHDRAWN = "This photo was withdrawn at a family's wish.";
/** In the receipt of an order of which so many photos were hidden while it was being paid. */
export const notSold = (photos: number): string =>
  photos === 1
    ? 'One of your photos was withdrawn at a family’s wish before your payment was complete. What it cost goes back to you.'
    : `${photos} of your photos were withdrawn at a family’s wish before your payment was complete. What they cost goes back to you.`;
