/** What a buyer reads about a sold photo that a family no longer allows. */
export const PHOTO_WITHDRAWN = "This photo was withdrawn at a family's wish.";
/**
 * On an order's page, whose footer has the contact of the seller's organization: about withdrawn photos of the order. It
 * mentions money only where some was paid and has not gone back.
 */
export function withdrawnText(lines: readonly { refundable?: true | undefined }[]): string {
  const what =
    lines.length === 1 ? `${PHOTO_WITHDRAWN} It` : `${lines.length} photos were withdrawn at a family's wish. They`;
  const ask = ' To ask for your money back, write to the contact at the end of this page, with your order number.';
  return `${what} cannot be downloaded.${lines.some(({ refundable }) => refundable) ? ask : ''}`;
}
/** For receipts of orders whose photos were hidden during the payment. Photos of a pass and included ones cost nothing. */
export function notSold(photos: number, { isPaid }: { isPaid: boolean }): string {
  const [what, it] = photos === 1 ? ['One of your photos was', 'it'] : [`${photos} of your photos were`, 'they'];
  const money = isPaid
    ? `What ${it} cost goes back to you.`
    : `${it === 'it' ? 'It' : 'They'} added nothing to your price.`;
  return `${what} withdrawn at a family’s wish before your payment was complete. ${money}`;
}
