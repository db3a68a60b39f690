/** The best price found by trying every combination, to compare the best-price rule with. For small carts only. */
import type { CartPhoto, FrozenSheet, PassCandidate } from '#src/features/offers/best-price.rules.ts';

/** Total, photos not delivered (negative), photos in bundles, bundles: compared in this order, lower is better. */
export type Tried = [totalCents: number, notDelivered: number, bundled: number, bundles: number];

const isLess = (a: Tried, b: Tried) => {
  const at = a.findIndex((value, place) => value !== b[place]);
  return at >= 0 && (a[at] ?? 0) < (b[at] ?? 0);
};
const least = (some: readonly Tried[]): Tried => some.reduce((best, one) => (isLess(one, best) ? one : best));

function subsets<T>(list: readonly T[]): T[][] {
  return list.reduce<T[][]>((all, one) => [...all, ...all.map((some) => [...some, one])], [[]]);
}

type SmallCart = {
  photos: readonly CartPhoto[];
  sheet: FrozenSheet;
  passes: readonly PassCandidate[];
  freePhotos: number;
};

/** Every set of passes, every choice of free photos, every set of photos in bundles, every order of the others. */
export function bestByTrying({ photos, sheet, passes, freePhotos }: SmallCart): Tried {
  const single = (ids: readonly number[]) =>
    photos.reduce((sum, { id, singleCents }) => (ids.includes(id) ? sum + singleCents : sum), 0);
  const offered = passes.filter((pass) => pass.inCart || single(pass.photoIds) > pass.priceCents);
  const lawful = subsets(offered).filter((bought) => passes.every((pass) => !pass.inCart || bought.includes(pass)));
  return least(
    lawful.map((bought) => {
      const left = photos.filter(({ id }) => !bought.some((pass) => pass.photoIds.includes(id)));
      const joins = (photo: CartPhoto) => !photo.hasOwnPrice || sheet.content.ownPricesTakePart;
      const alone = left.filter((photo) => !joins(photo)).reduce((sum, { singleCents }) => sum + singleCents, 0);
      const open = left.filter(joins);
      const ways = subsets(open)
        .filter((free) => free.length === Math.min(freePhotos, open.length))
        .map((free) =>
          withBundles(
            open.filter((photo) => !free.includes(photo)),
            sheet,
          ),
        );
      const [total, , bundled, bundles] = least(ways);
      const delivered = left.length + bought.reduce((sum, pass) => sum + pass.photosInAll, 0);
      return [total + alone + bought.reduce((sum, pass) => sum + pass.priceCents, 0), -delivered, bundled, bundles];
    }),
  );
}

function withBundles(photos: readonly CartPhoto[], sheet: FrozenSheet): Tried {
  const bundles = sheet.content.offers.filter((offer) => offer.kind === 'bundle');
  const steps = sheet.content.offers.find((offer) => offer.kind === 'steps')?.steps ?? [];
  const atPlace = (place: number) => steps.findLast(({ from }) => from <= place)?.priceCents ?? Infinity;
  const fill = (places: number): Tried =>
    places <= 0
      ? [0, 0, 0, 0]
      : least([
          [Infinity, 0, 0, 0],
          ...bundles.map(({ photos: size, priceCents }): Tried => {
            const [total, , , count] = fill(places - size);
            return [total + priceCents, 0, 0, count + 1];
          }),
        ]);
  const inAnyOrder = (rest: readonly number[], place: number): number =>
    rest.length === 0
      ? 0
      : Math.min(
          ...rest.map((one, at) => Math.min(one, atPlace(place)) + inAnyOrder(rest.toSpliced(at, 1), place + 1)),
        );
  return least(
    subsets(photos).map((inBundles) => {
      const rest = photos.filter((photo) => !inBundles.includes(photo) && photo.singleCents > 0);
      const singles = rest.map((photo) => photo.singleCents);
      const [total, , , count] = fill(inBundles.length);
      return [
        total + (steps.length > 0 ? inAnyOrder(singles, 1) : singles.reduce((a, b) => a + b, 0)),
        0,
        inBundles.length,
        count,
      ];
    }),
  );
}
