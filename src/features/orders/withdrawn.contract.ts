/** What a buyer reads of a sold photo that a family does not allow any more. */
export const PHOTO_WITHDRAWN = "This photo was withdrawn at a family's wish.";
/** In the receipt of an order of which so many photos were hidden while it was being paid. What a pass covers, or was included, cost nothing by itself. */
export function notSold(photos: number, { isPaid }: { isPaid: boolean }): string {
  const [what, it] = photos === 1 ? ['One of your photos was', 'it'] : [`${photos} of your photos were`, 'they'];
  const money = isPaid
    ? `What ${it} cost goes back to you.`
    : `${it === 'it' ? 'It' : 'They'} added nothing to your price.`;
  return `${what} withdrawn at a family’s wish before your payment was complete. ${money}`;
}
