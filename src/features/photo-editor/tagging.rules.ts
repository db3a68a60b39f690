/** Which keywords are offered while photos are tagged. */

type Tagged = { keywords: readonly { name: string }[] };

const OFFERED = 8;
const folded = (name: string) => name.toLocaleLowerCase('en-US');

/** The names just used before those known, each once, as many as fit. */
export function lastUsed(used: readonly string[], known: readonly string[]): string[] {
  const seen = new Set<string>();
  return [...used, ...known].filter((name) => !seen.has(folded(name)) && seen.add(folded(name))).slice(0, OFFERED);
}

/** The keywords of these photos, the most frequent first. */
export function wordsSeen(photos: readonly Tagged[]): string[] {
  const counts = new Map<string, number>();
  for (const { keywords } of photos) for (const { name } of keywords) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one).map(([name]) => name);
}

/** Without what the photo has already, whatever its case. */
export function missingIn({ keywords }: Tagged, names: readonly string[]): string[] {
  const has = new Set(keywords.map(({ name }) => folded(name)));
  return names.filter((name) => !has.has(folded(name)));
}
