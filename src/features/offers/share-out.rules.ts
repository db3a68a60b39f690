/**
 * Divides whole cents in proportion to weights, by largest remainder: the parts sum to the amount. At equal remainders
 * the first gets the cent, so pass the weights in the order of their ids. If all weights are zero, the parts are equal.
 */
export function shareOut(amountCents: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const [ratios, divisor] = sum === 0 ? [weights.map(() => 1), weights.length] : [weights, sum];
  const exact = ratios.map((weight, at) => ({
    at,
    whole: Math.floor((amountCents * weight) / divisor),
    left: (amountCents * weight) % divisor,
  }));
  const missing = amountCents - exact.reduce((total, { whole }) => total + whole, 0);
  if (missing === 0) return exact.map(({ whole }) => whole);
  const getsExtraCent = new Set(
    exact
      .toSorted((a, b) => b.left - a.left || a.at - b.at)
      .slice(0, missing)
      .map(({ at }) => at),
  );
  return exact.map(({ at, whole }) => whole + (getsExtraCent.has(at) ? 1 : 0));
}
