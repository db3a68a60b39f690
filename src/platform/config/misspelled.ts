/** Finds settings with a misspelled name, which would otherwise have no effect. */

/** Prefixes that hardly any other program uses, of settings whose absence is dangerous. */
const OWN = ['S3_', 'STRIPE_', 'PICTURES_CDN_', 'CDN_', 'DATABASE_REPLICA_', 'PAYOUT_', 'WAL_ARCHIVE_'];

/**
 * One sentence for each name with such a prefix that is one typo away from an unset setting. Other unknown names may belong
 * to other programs: Kubernetes, for one, sets WORKERS_PORT for a service "workers".
 */
export function misspelledOf(given: readonly string[], settings: readonly string[]): string[] {
  const isOwn = (name: string) => OWN.some((beginning) => name.toUpperCase().startsWith(beginning));
  const unset = settings.filter((name) => !given.includes(name));
  return given
    .filter((name) => isOwn(name) && !settings.includes(name))
    .flatMap((name) => {
      const meant = unset.find((setting) => isTypo(name, setting));
      return meant === undefined ? [] : [`${name} is not a setting; ${meant} is.`];
    });
}

/** Whether one letter is missing, extra or wrong, or two adjacent letters are swapped; ignores case. */
function isTypo(given: string, meant: string): boolean {
  const [a, b] = [given.toUpperCase(), meant];
  let start = 0;
  while (start < Math.min(a.length, b.length) && a[start] === b[start]) start++;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}
