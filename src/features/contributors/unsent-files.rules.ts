/** Files that a contributor chose and that were not sent. */

/** A refused file, and why. */
export type UnsentFile = { name: string; why: string };

/** The files refused so far and now: each with a reason once, and none whose name was `accepted` now. */
export function withRefused(
  unsent: readonly UnsentFile[],
  refused: readonly UnsentFile[],
  accepted: readonly { name: string }[],
): UnsentFile[] {
  const names = new Set(accepted.map(({ name }) => name));
  const all = [...unsent.filter(({ name }) => !names.has(name)), ...refused];
  return all.filter(({ name, why }, at) => at === all.findIndex((each) => each.name === name && each.why === why));
}
