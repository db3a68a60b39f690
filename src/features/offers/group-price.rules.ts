/** The cheapest way to buy the photos of each price sheet (steps 1-5 of the best-price rule), and its lines. */
import type {
  CartPhoto,
  CouponTerms,
  FrozenSheet,
  IncludedPhotos,
  Offer,
  PassCandidate,
  PricedLine,
  PricedOffer,
  PriceQuestion,
} from '#src/features/offers/price-question.rules.ts';
import { shareOut } from '#src/features/offers/share-out.rules.ts';

/** Every subset is tried, so more candidates for passes would take too long. */
const MAX_PASS_CANDIDATES = 6;

type Bundle = Extract<Offer, { kind: 'bundle' }>;
type Steps = Extract<Offer, { kind: 'steps' }>['steps'];
/** Photos of one sheet (most expensive first, ties by id), and the offers that they may be bought with. */
export type Group = {
  sheet: FrozenSheet | null;
  photos: readonly CartPhoto[];
  bundles: readonly Bundle[];
  steps: Extract<Offer, { kind: 'steps' }> | null;
  bought: readonly PassCandidate[];
  offered: readonly PassCandidate[];
  table: readonly BundleCost[];
  /** The falling price by position; empty without steps. */
  falling: readonly number[];
};
/** The lowest cost of bundles for at least `count` photos; `last` is one of them, with the lowest possible id. */
type BundleCost = { cents: number; count: number; last: Bundle | null };
/** One way to buy a group, with this many free photos. */
type Plan = {
  group: Group;
  way: Way;
  free: number;
  totalCents: number;
  /** How many photos are in bundles: the most expensive ones. */
  bundled: number;
};
/** A plan with its photos. */
type Choice = {
  group: Group;
  totalCents: number;
  bundled: number;
  passes: readonly PassCandidate[];
  free: readonly CartPhoto[];
  /** Photos that offers may cover, most expensive first. */
  open: readonly CartPhoto[];
};
/** Lines and offers before reductions. */
export type Priced = { lines: PricedLine[]; offers: PricedOffer[]; subtotalCents: number; free: readonly CartPhoto[] };

export const sumOf = <T>(list: readonly T[], value: (one: T) => number) =>
  list.reduce((sum, one) => sum + value(one), 0);

export function groupsOf({ photos, sheets, passes }: PriceQuestion): Group[] {
  const known = new Map(sheets.map((sheet) => [sheet.id, sheet]));
  const bySheet = new Map<FrozenSheet | null, CartPhoto[]>();
  for (const pass of passes) if (pass.inCart) bySheet.set(known.get(pass.sheetId) ?? null, []);
  for (const photo of photos) {
    const sheet = known.get(photo.sheetId ?? 0) ?? null;
    const list = bySheet.get(sheet);
    if (list) list.push(photo);
    else bySheet.set(sheet, [photo]);
  }
  return [...bySheet]
    .map(([sheet, own]) => groupOf(sheet, own, passes))
    .toSorted((a, b) => (a.sheet?.id ?? 0) - (b.sheet?.id ?? 0));
}

function groupOf(sheet: FrozenSheet | null, own: readonly CartPhoto[], all: readonly PassCandidate[]): Group {
  const photos = own.toSorted((a, b) => b.singleCents - a.singleCents || a.id - b.id);
  const offers = sheet?.content.offers.toSorted((a, b) => a.id - b.id) ?? [];
  const bundles = offers.filter((offer) => offer.kind === 'bundle');
  const steps = offers.find((offer) => offer.kind === 'steps') ?? null;
  const allCents = sumOf(photos, (photo) => photo.singleCents);
  // Most passes cost more than all photos: what each photo costs is then never looked up.
  const single = new Map<number, number>();
  const saving = (pass: PassCandidate) => {
    if (single.size === 0) for (const photo of photos) single.set(photo.id, photo.singleCents);
    return sumOf(pass.photoIds, (id) => single.get(id) ?? 0) - pass.priceCents;
  };
  const maySave = (pass: PassCandidate) => pass.priceCents < allCents && saving(pass) > 0;
  const passes = all
    .filter((pass) => pass.sheetId === sheet?.id && (pass.inCart || maySave(pass)))
    .toSorted((a, b) => saving(b) - saving(a) || byId(a, b));
  const bought = passes.filter((pass) => pass.inCart).toSorted(byId);
  const offered = passes.filter((pass) => !pass.inCart).slice(0, Math.max(0, MAX_PASS_CANDIDATES - bought.length));
  const table = bundleTable(bundles, photos.length);
  const falling =
    steps === null ? [] : Array.from({ length: photos.length + 1 }, (_, at) => fallingPrice(steps.steps, at));
  return { sheet, photos, bundles, steps, bought, offered, table, falling };
}

const byId = (a: PassCandidate, b: PassCandidate) =>
  a.offerId - b.offerId ||
  (a.galleryId ?? 0) - (b.galleryId ?? 0) ||
  compareText(a.athleteKey ?? '', b.athleteKey ?? '') ||
  (a.photoIds[0] ?? 0) - (b.photoIds[0] ?? 0);
const compareText = (a: string, b: string) => (a < b ? -1 : Number(a > b));

/** A coin-change table that rounds up. Bundles are in the order of their ids, so that equal costs use the lowest id. */
function bundleTable(bundles: readonly Bundle[], upTo: number): BundleCost[] {
  const table: BundleCost[] = [{ cents: 0, count: 0, last: null }];
  for (let photos = 1; photos <= upTo && bundles.length > 0; photos += 1) {
    const best: BundleCost = { cents: Infinity, count: 0, last: null };
    for (const bundle of bundles) {
      const before = table[Math.max(0, photos - bundle.photos)];
      if (!before) continue;
      const cost = before.cents + bundle.priceCents;
      const count = before.count + 1;
      if (cost < best.cents || (cost === best.cents && count < best.count))
        [best.cents, best.count, best.last] = [cost, count, bundle];
    }
    table.push(best);
  }
  return table;
}

const takesPart = (group: Group, photo: CartPhoto) =>
  !photo.hasOwnPrice || group.sheet?.content.ownPricesTakePart === true;

type Scope = Pick<CouponTerms, 'galleryIds' | 'sheetIds'>;
export const inScope = (coupon: Scope, galleryId: number | null, sheetId: number | null) =>
  (coupon.galleryIds === null || (galleryId !== null && coupon.galleryIds.includes(galleryId))) &&
  (coupon.sheetIds === null || (sheetId !== null && coupon.sheetIds.includes(sheetId)));

type Bought = { cents: number; plans: readonly Plan[] };

/** The best choice of each group, with this many free photos among them all. */
export function cheapest(groups: readonly Group[], freePhotos: number, coupon: Scope | null): readonly Choice[] {
  // Unused free photos have no value: the last group takes all it can.
  return leastCents(boughtWith(groups, freePhotos, coupon, true)).plans.map(choiceOf);
}

/** Of equals the one with the fewest free photos. */
const leastCents = (ways: readonly Bought[]) => ways.reduce((best, way) => (way.cents < best.cents ? way : best));

/** By the number of free photos among all groups; with `usesAll` the last one takes no fewer than it can. */
function boughtWith(groups: readonly Group[], freePhotos: number, coupon: Scope | null, usesAll: boolean): Bought[] {
  let ways: Bought[] = [{ cents: 0, plans: [] }];
  for (const group of groups) {
    const mayBeFree = (photo: CartPhoto) =>
      coupon !== null && takesPart(group, photo) && inScope(coupon, photo.galleryId, group.sheet?.id ?? null);
    const ofGroup = waysOf(group, mayBeFree);
    const most = Math.min(freePhotos, ofGroup.most);
    const isLast = usesAll && group === groups.at(-1);
    const next: Bought[] = [];
    const known: Plan[] = [];
    for (const [used, way] of ways.entries()) {
      const all = Math.min(most, freePhotos - used);
      for (let free = isLast ? all : 0; free <= all; free += 1) {
        const plan = (known[free] ??= bestOfGroup(ofGroup, free));
        const sum = way.cents + plan.totalCents;
        const at = next[used + free];
        if (!at || sum < at.cents) next[used + free] = { cents: sum, plans: [...way.plans, plan] };
      }
    }
    ways = Array.from(next, (way) => way ?? { cents: Infinity, plans: [] });
  }
  return ways;
}

/** The least that photos and passes cost, without a code, an early bird or included photos. */
export const leastOf = (question: PriceQuestion): number =>
  sumOf(groupsOf(question), (group) => {
    const { ways } = waysOf(group, () => false);
    return Math.min(...ways.map((way) => costOf(group, way, 0).totalCents));
  });

/**
 * The photos of an allowance to use: those that save most, and only as many as save money. None are needed where a pass
 * costs the same as what is left.
 */
export function includedPhotos(question: PriceQuestion, { photos, sheetId }: IncludedPhotos): readonly CartPhoto[] {
  const worthIt = { ...question, photos: question.photos.filter((photo) => photo.singleCents > 0) };
  const scope = { ...ANY_PHOTO, sheetIds: sheetId === null ? null : [sheetId] };
  const ways = boughtWith(groupsOf(worthIt), Math.min(photos, worthIt.photos.length), scope, false);
  return leastCents(ways).plans.flatMap((plan) => choiceOf(plan).free);
}

const ANY_PHOTO = { galleryIds: null, sheetIds: null } as const;

function bestOfGroup({ group, ways }: Ways, free: number): Plan {
  let best: Plan | null = null;
  for (const way of ways) {
    if (best !== null && way.fixedCents > best.totalCents) continue;
    const plan = { group, way, free, ...costOf(group, way, free) };
    if (best === null || isBetter(plan, best)) best = plan;
  }
  if (best === null) throw new Error('a group can always be bought');
  return best;
}

/** A set of passes, and the photos that remain to be bought. */
type Way = {
  passes: readonly PassCandidate[];
  /** How many photos the buyer gets. */
  delivered: number;
  /** Photos that offers may cover, most expensive first, and those among them that a code may make free. */
  open: readonly CartPhoto[];
  freeable: readonly boolean[];
  /** The cost of passes, and of photos that stay single. */
  fixedCents: number;
};
type Ways = { group: Group; ways: readonly Way[]; most: number };

/** Every set of passes that a group may be bought with, computed once for all numbers of free photos. */
function waysOf(group: Group, mayBeFree: (photo: CartPhoto) => boolean): Ways {
  const ways: Way[] = [];
  for (let subset = 0; subset < 1 << group.offered.length; subset += 1) {
    const chosen = group.offered.filter((_, bit) => (subset >> bit) & 1);
    const passes = chosen.length === 0 ? group.bought : [...group.bought, ...chosen].toSorted(byId);
    const covered = new Set(passes.flatMap((pass) => pass.photoIds));
    const left = covered.size === 0 ? group.photos : group.photos.filter((photo) => !covered.has(photo.id));
    const open = left.filter((photo) => takesPart(group, photo));
    const alone = sumOf(left, (photo) => (takesPart(group, photo) ? 0 : photo.singleCents));
    const fixedCents = sumOf(passes, (pass) => pass.priceCents) + alone;
    const delivered = sumOf(passes, (pass) => pass.photosInAll) + left.length;
    ways.push({ passes, delivered, open, freeable: open.map(mayBeFree), fixedCents });
  }
  return { group, ways, most: group.photos.filter(mayBeFree).length };
}

/** The most expensive ones: the cheapest choice for the buyer. */
function freedOf({ open, freeable }: Way, free: number): Set<CartPhoto> {
  return new Set(free === 0 ? [] : open.filter((_, at) => freeable[at]).slice(0, free));
}

/**
 * The cheapest number of photos in bundles (the most expensive ones), and the total cost. Computed up to 12,800 times for a
 * code of 100 free photos: it makes one array, and no others.
 */
function costOf(group: Group, { open, freeable, fixedCents }: Way, free: number): Pick<Plan, 'totalCents' | 'bundled'> {
  let freedUpTo = 0;
  for (let left = free; left > 0 && freedUpTo < open.length; freedUpTo += 1) if (freeable[freedUpTo]) left -= 1;
  const sums = [0];
  let sum = 0;
  let positive = 0;
  for (let at = open.length - 1; at >= 0; at -= 1) {
    if (at < freedUpTo && freeable[at]) continue;
    const single = open[at]?.singleCents ?? 0;
    if (single > 0) positive += 1;
    sum += Math.min(single, group.falling[positive] ?? Infinity);
    sums.push(sum);
  }
  let bundled = 0;
  let rest = sum;
  for (let m = 1; m <= positive && group.table.length > 1; m += 1) {
    const cost = (group.table[m]?.cents ?? Infinity) + (sums[sums.length - 1 - m] ?? 0);
    if (cost < rest) [bundled, rest] = [m, cost];
  }
  return { totalCents: fixedCents + rest, bundled };
}

function choiceOf({ group, way, free, totalCents, bundled }: Plan): Choice {
  const freed = freedOf(way, free);
  const open = freed.size === 0 ? way.open : way.open.filter((photo) => !freed.has(photo));
  return { group, totalCents, bundled, passes: way.passes, free: [...freed], open };
}

/** What these single prices, all above 0 and in descending order, cost with the falling price. */
const sumOfSteps = (singles: readonly number[], falling: readonly number[]) =>
  singles.toReversed().reduce((sum, single, at) => sum + Math.min(single, falling[at + 1] ?? Infinity), 0);

const fallingPrice = (steps: Steps, place: number) =>
  steps.findLast((step) => step.from <= place)?.priceCents ?? Infinity;

/** At equal totals: more photos, then fewer in bundles, then fewer bundles, then lower ids. */
function isBetter(a: Plan, b: Plan): boolean {
  const order =
    a.totalCents - b.totalCents ||
    b.way.delivered - a.way.delivered ||
    a.bundled - b.bundled ||
    bundlesIn(a) - bundlesIn(b);
  if (order !== 0) return order < 0;
  const [ids, others] = [idsOf(a), idsOf(b)];
  for (const [at, id] of ids.entries()) {
    const other = others[at];
    if (other === undefined || id !== other) return other !== undefined && id < other;
  }
  return false;
}

const bundlesIn = ({ group, bundled }: Plan) => group.table[bundled]?.count ?? 0;

const idsOf = (plan: Plan) => [
  ...plan.way.passes.flatMap((pass) => [pass.offerId, pass.galleryId ?? 0]),
  ...bundlesOf(plan).map((bundle) => bundle.id),
];

/** The bundles of a choice, largest first. */
function bundlesOf({ group, bundled }: Pick<Plan, 'group' | 'bundled'>): Bundle[] {
  const list: Bundle[] = [];
  let photos = bundled;
  while (photos > 0) {
    const last = group.table[photos]?.last;
    if (!last) break;
    list.push(last);
    photos -= last.photos;
  }
  return list.toSorted((a, b) => b.photos - a.photos || a.id - b.id);
}

/** Lines and offers of the choices, before reductions. */
export function priced(choices: readonly Choice[]): Priced {
  const lines: PricedLine[] = [];
  const offers: PricedOffer[] = [];
  const alone = (photo: CartPhoto, priceCents: number) =>
    lines.push({ photoId: photo.id, singleCents: photo.singleCents, priceCents, offer: null });
  for (const choice of choices) {
    const taken = new Set<CartPhoto>(choice.free);
    for (const photo of choice.free) alone(photo, 0);
    for (const { photos, ...offer } of offersOf(choice)) {
      const own = photos.filter((photo) => !taken.has(photo)).sort((a, b) => a.id - b.id);
      const isPass = offer.kind === 'gallery_pass' || offer.kind === 'athlete_pass';
      const singlePrices = own.map((photo) => photo.singleCents);
      const parts = shareOut(isPass ? 0 : offer.priceCents, singlePrices);
      for (const [at, photo] of own.entries()) {
        taken.add(photo);
        lines.push({
          photoId: photo.id,
          singleCents: photo.singleCents,
          priceCents: parts[at] ?? 0,
          offer: offers.length,
        });
      }
      offers.push({
        ...offer,
        singleSumCents: sumOf(own, (photo) => photo.singleCents),
        photoIds: own.map(({ id }) => id),
      });
    }
    for (const photo of choice.group.photos) if (!taken.has(photo)) alone(photo, photo.singleCents);
  }
  const subtotalCents = sumOf(choices, (choice) => choice.totalCents);
  lines.sort((a, b) => a.photoId - b.photoId);
  return { lines, offers, subtotalCents, free: choices.flatMap((choice) => choice.free) };
}

type OfferOfGroup = Omit<PricedOffer, 'photoIds' | 'singleSumCents'> & { photos: CartPhoto[] };

/** Passes, bundles (one entry for each, however often it is used), falling price. */
function offersOf(choice: Choice): OfferOfGroup[] {
  const { sheet, photos, steps, falling } = choice.group;
  if (!sheet) return [];
  const same = { sheetId: sheet.id, version: sheet.version, galleryId: null, times: 1, openSlots: 0, paidCents: 0 };
  const list: OfferOfGroup[] = choice.passes.map(({ kind, offerId, galleryId, athleteKey, priceCents, photoIds }) => ({
    ...same,
    ...(athleteKey === undefined ? {} : { athleteKey }),
    kind,
    offerId,
    galleryId,
    priceCents,
    paidCents: priceCents,
    photos: photos.filter((photo) => photoIds.includes(photo.id)),
  }));
  let at = 0;
  for (const bundle of bundlesOf(choice)) {
    const inIt = choice.open.slice(at, Math.min(at + bundle.photos, choice.bundled));
    at += bundle.photos;
    const { id: offerId, priceCents } = bundle;
    const openSlots = bundle.photos - inIt.length;
    const last = list.at(-1);
    if (last?.kind === 'bundle' && last.offerId === offerId) {
      last.times += 1;
      last.priceCents += priceCents;
      last.openSlots += openSlots;
      last.photos.push(...inIt);
    } else list.push({ ...same, kind: 'bundle', offerId, priceCents, openSlots, photos: inIt });
  }
  const rest = choice.open.slice(choice.bundled).filter((photo) => photo.singleCents > 0);
  const singles = rest.map((photo) => photo.singleCents);
  const priceCents = steps ? sumOfSteps(singles, falling) : 0;
  if (steps && priceCents < sumOf(rest, (photo) => photo.singleCents))
    list.push({ ...same, kind: 'steps', offerId: steps.id, priceCents, photos: rest });
  return list;
}
