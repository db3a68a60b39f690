/** Places of an order, apart from its keys: the browser needs the one and not the other. */

/** The place of the photo behind which another one stands that goes from one place to another; from 0, `to` as it is afterwards. */
export function placeBefore(from: number, to: number): number {
  return to > from ? to : to - 1;
}
