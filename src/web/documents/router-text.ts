/**
 * The data from which the browser's router continues, in the text format of its decoder: a list in which each different
 * value stands once, objects and lists name the places of what they hold, and negative numbers are values that JSON does
 * not have. Without the streams and timers of the router's encoder, which can wait for promises (decision record 0175).
 */

class NotPlain extends Error {}

/** Null for what plain JSON cannot hold, such as dates, promises and errors; the router's encoder can. */
export function routerText(data: object): string | null {
  const places = new Map<unknown, number>();
  const texts: string[] = [];
  const waiting: unknown[] = [];

  function placeOf(value: unknown): number {
    const known = places.get(value) ?? placeWithoutText(value);
    if (known !== undefined) return known;
    const place = places.size;
    places.set(value, place);
    if (typeof value === 'object') waiting.push(value);
    else texts[place] = textOf(value);
    return place;
  }

  try {
    placeOf(data);
    for (let value = waiting.pop(); value !== undefined; value = waiting.pop())
      texts[places.get(value) as number] = partsOf(value as object, placeOf);
    return `[${texts.join(',')}]\n`;
  } catch (error) {
    if (error instanceof NotPlain) return null;
    throw error;
  }
}

function placeWithoutText(value: unknown): number | undefined {
  if (value === undefined) return -7;
  if (value === null) return -5;
  if (typeof value !== 'number' || (Number.isFinite(value) && !Object.is(value, -0))) return undefined;
  throw new NotPlain();
}

function textOf(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return JSON.stringify(value);
  throw new NotPlain();
}

function partsOf(value: object, placeOf: (value: unknown) => number): string {
  if (Array.isArray(value)) return `[${Array.from(value, (each) => placeOf(each)).join(',')}]`;
  if (Object.getPrototypeOf(value) !== Object.prototype) throw new NotPlain();
  const parts = Object.keys(value).map(
    (key) => `"_${placeOf(key)}":${placeOf((value as Record<string, unknown>)[key])}`,
  );
  return `{${parts.join(',')}}`;
}
