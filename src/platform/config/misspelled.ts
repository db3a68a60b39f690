/** Finds settings with a misspelled name, which would otherwise have no effect. */

/** Beginnings that hardly any other program uses, of settings without which a start does something dangerous. */
const OWN = ['S3_', 'STRIPE_', 'PICTURES_CDN_', 'CDN_', 'DATABASE_REPLICA_', 'PAYOUT_', 'WAL_ARCHIVE_'];

/**
 * One sentence for each name that begins like one of our own and is a single slip away from a setting that is unset.
 * All other unknown names may be of other programs: Kubernetes alone gives WORKERS_PORT for a service "workers".
 */
export function misspelledOf(given: readonly string[], settings: readonly string[]): string[] {
  const isOwn = (name: string) => OWN.some((beginning) => name.toUpperCase().startsWith(beginning));
  const unset = settings.filter((name) => !given.includes(name));
  return given
    .filter((name) => isOwn(name) && !settings.includes(name))
    .flatMap((name) => {
      const meant = unset.find((setting) => isSlip(name, setting));
      return meant === undefined ? [] : [`${name} is not a setting; ${meant} is.`];
    });
}

/** One letter is missing, too many or another, or two neighbors changed places; case does not count. */
function isSlip(given: string, meant: string): boolean {
  const [a, b] = [given.toUpperCase(), meant];
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}
