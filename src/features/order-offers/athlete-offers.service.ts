/**
 * Athlete passes that a cart may be sold with: of children whose cards are open in the buyer's browser, and of public
 * numbers that one player wears (athletes specification B.6, B.10). Photos that are included with a child's
 * registration come from `features/allowances`.
 */
import type { AllowanceUses } from '#src/features/allowances/allowance-uses.service.ts';
import type { FamilyService, OpenChild } from '#src/features/families/families.service.ts';
import type { FrozenSheets } from '#src/features/offers/frozen-sheets.service.ts';
import type { FrozenSheet, IncludedPhotos, PassCandidate } from '#src/features/offers/price-question.rules.ts';
import {
  childKey,
  numberKey,
  readAthleteKey,
  whoseText,
  type PassAthlete,
} from '#src/features/order-offers/athlete-key.rules.ts';
import * as athletesSql from '#src/features/order-offers/athlete-passes.sql.ts';
import {
  athletePassRefusal,
  wornBySeveral,
  type OfferedPass,
} from '#src/features/order-offers/sold-passes.contract.ts';
import { lastDayOfAthletePass, type AthletePass } from '#src/features/order-offers/sold-passes.rules.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import { tenantScope, type Database, type Reader } from '#src/platform/db/db.ts';
import { toDollars } from '#src/shared/money.ts';
import { fieldProblem } from '#src/shared/problem.ts';

export type AthleteOfferDeps = {
  database: Database;
  families: Pick<FamilyService, 'familyAthletes'>;
  allowances: Pick<AllowanceUses, 'ofChildren'>;
  sheets: FrozenSheets;
};

/** What a family's browser and tags add to the price of a cart. */
type AthleteOffers = {
  candidates: PassCandidate[];
  /** The candidates by key and price sheet, as an order stores them. */
  passes: AthletePass[];
  included: IncludedPhotos[];
  /** Price sheets of passes in the cart, where no photo of the cart has them. */
  sheets: FrozenSheet[];
};
const NONE: AthleteOffers = { candidates: [], passes: [], included: [], sheets: [] };

/** The price is computed with each subset of them. */
const NUMBERS_AT_MOST = 6;

type AthleteCart = {
  sellerId: number;
  today: string;
  photoIds: readonly number[];
  /** Of the photos and gallery passes in the cart. */
  sheets: readonly FrozenSheet[];
  /** Athlete passes that the buyer chose; `gallery_id` names the price sheet where there are several. */
  wanted: readonly { athlete_key?: string | null | undefined; gallery_id?: number | null | undefined }[];
};

type Athlete = { athlete: PassAthlete; key: string; whose: string; wanted: { galleryId: number | null } | null };

const hasPass = ({ content }: FrozenSheet) => content.offers.some(({ kind }) => kind === 'athlete_pass');

/** Runs no query for carts without a family and without an athlete pass, nor for price sheets that sell none. @throws invalid */
export async function athleteOffers(ctx: AthleteOfferDeps, caller: Caller, cart: AthleteCart): Promise<AthleteOffers> {
  const mayHavePass = cart.wanted.length > 0 || cart.sheets.some(hasPass);
  if (!caller.family && !mayHavePass) return NONE;
  const children = (await ctx.families.familyAthletes(caller)).filter(
    (child) => child.organizationId === cart.sellerId,
  );
  const included =
    cart.photoIds.length === 0 ? [] : await ctx.allowances.ofChildren(cart.sellerId, children, cart.today);
  return mayHavePass ? { ...(await passOffers(ctx, cart, children)), included } : { ...NONE, included };
}

async function passOffers(ctx: AthleteOfferDeps, cart: AthleteCart, children: readonly OpenChild[]) {
  const wanted = new Map(cart.wanted.map((pass) => [pass.athlete_key ?? '', { galleryId: pass.gallery_id ?? null }]));
  return ctx.database.read(tenantScope(cart.sellerId), async (db) => {
    const numbers = cart.sheets.some(hasPass)
      ? await athletesSql.listNumbersOn(db, cart.sellerId, { photoIds: cart.photoIds, most: NUMBERS_AT_MOST })
      : [];
    const athletes = athletesOf(children, numbers, wanted);
    if (athletes.length === 0) return NONE;
    const { offers, sheets } = await offersFor(ctx, db, { ...cart, athletes });
    const known = new Set(cart.sheets.map(({ id }) => id));
    const bought = new Set(offers.flatMap(({ candidate }) => (candidate.inCart ? candidate.sheetId : [])));
    return {
      candidates: offers.map(({ candidate }) => candidate),
      passes: offers.map(({ pass }) => pass),
      sheets: sheets.filter(({ id }) => bought.has(id) && !known.has(id)),
    };
  });
}

type OffersRequest = Pick<AthleteCart, 'sellerId' | 'photoIds' | 'sheets'> & { athletes: readonly Athlete[] };

/** @throws invalid for a pass in the cart that is not for sale */
async function offersFor(ctx: Pick<AthleteOfferDeps, 'sheets'>, db: Reader, { athletes, ...cart }: OffersRequest) {
  const passAthletes = athletes.map(({ athlete }) => athlete);
  const facts = new Map((await athletesSql.listFacts(db, cart.sellerId, passAthletes)).map((one) => [one.place, one]));
  for (const [place, athlete] of athletes.entries()) refuseForeign(athlete, facts.get(place));
  const photos = await athletesSql.listAthletePhotos(db, cart.sellerId, {
    athletes: passAthletes,
    photoIds: cart.photoIds,
  });
  const sheets = await sheetsOf(ctx, cart.sheets, photos);
  const offers = athletes.flatMap((athlete, place) => {
    const fact = facts.get(place);
    const own = photos.filter((each) => each.place === place);
    return fact && mayBeSold(fact, athlete) ? passesOf(athlete, fact, { sheets, photos: own }) : [];
  });
  return { offers, sheets };
}

/**
 * What the passes of these athletes cost: on the price sheet with most photos of the athlete, or on that of
 * `galleryId`; none where no sheet sells one. `keys`: children whose cards the caller has opened, and public numbers.
 * `today`: in the seller's zone.
 */
export async function offeredPasses(
  ctx: Pick<AthleteOfferDeps, 'database' | 'sheets'>,
  seller: { id: number; today: string },
  keys: readonly { key: string; number: string | null }[],
  galleryId: number | null = null,
): Promise<OfferedPass[]> {
  const athletes = keys.flatMap(({ key, number }): Athlete[] => {
    const athlete = readAthleteKey(key);
    return athlete ? [{ athlete, key, whose: whoseText(number), wanted: null }] : [];
  });
  if (athletes.length === 0) return [];
  const { offers } = await ctx.database.read(tenantScope(seller.id), (db) =>
    offersFor(ctx, db, { sellerId: seller.id, photoIds: [], sheets: [], athletes }),
  );
  const isHere = ({ pass }: PassOffer) =>
    galleryId === null || pass.galleries.some((one) => one.galleryId === galleryId);
  return [...Map.groupBy(offers.filter(isHere), ({ pass }) => pass.key).values()].flatMap((ofAthlete) => {
    const [most] = ofAthlete.toSorted((a, b) => byPhotos(a.candidate, b.candidate));
    return most ? [presentOffered(most, seller.today, galleryId)] : [];
  });
}

function presentOffered({ candidate, pass }: PassOffer, today: string, galleryId: number | null): OfferedPass {
  return {
    athlete_key: pass.key,
    whose: candidate.whose ?? '',
    price: toDollars(candidate.priceCents),
    photos: candidate.photosInAll,
    galleries: pass.galleries.length,
    gallery_id: galleryId ?? pass.galleries[0]?.galleryId ?? 0,
    sheet_id: pass.sheetId,
    until: lastDayOfAthletePass(pass, today),
  };
}

/** Children first, because their numbers need no second pass. @throws invalid for a child that is not open here */
function athletesOf(
  children: readonly OpenChild[],
  numbers: readonly { teamId: number; number: string }[],
  wanted: ReadonlyMap<string, { galleryId: number | null }>,
): Athlete[] {
  const list = new Map<string, Athlete>();
  for (const { athleteId, cardId, number } of children)
    list.set(childKey(athleteId), {
      athlete: { athleteId, cardId, teamId: null, number: null },
      key: childKey(athleteId),
      whose: whoseText(number),
      wanted: wanted.get(childKey(athleteId)) ?? null,
    });
  const ofChildren = new Set(children.map(({ teamId, number }) => `${teamId} ${number}`));
  for (const { teamId, number } of numbers)
    if (!ofChildren.has(`${teamId} ${number}`)) list.set(numberKey(teamId, number), numbered(teamId, number, null));
  for (const [key, pass] of wanted) {
    const athlete = readAthleteKey(key);
    if (!athlete || (athlete.athleteId !== null && !list.has(key))) throw refused(athletePassRefusal);
    if (athlete.athleteId === null) list.set(key, numbered(athlete.teamId, athlete.number, pass));
  }
  return [...list.values()];
}

const numbered = (teamId: number, number: string, wanted: Athlete['wanted']): Athlete => ({
  athlete: { athleteId: null, teamId, number },
  key: numberKey(teamId, number),
  whose: whoseText(number),
  wanted,
});

const refused = (error: string) => fieldProblem({ passes: [error] });

const mayBeSold = ({ isPublic, wearers }: athletesSql.AthleteFacts, { athlete }: Athlete) =>
  athlete.athleteId !== null || (isPublic && wearers < 2);

function refuseForeign(athlete: Athlete, facts: athletesSql.AthleteFacts | undefined): void {
  if (athlete.wanted === null || (facts && mayBeSold(facts, athlete))) return;
  throw refused(facts?.isPublic ? wornBySeveral(athlete.athlete.number ?? '', facts.wearers) : athletePassRefusal);
}

/** Price sheets of the cart, and those with photos of an athlete. */
async function sheetsOf(
  ctx: Pick<AthleteOfferDeps, 'sheets'>,
  known: readonly FrozenSheet[],
  photos: readonly athletesSql.AthletePhotos[],
): Promise<FrozenSheet[]> {
  const others = new Map(photos.map(({ sheetId, version }) => [sheetId, version]));
  for (const { id } of known) others.delete(id);
  return [...known, ...(await ctx.sheets.read([...others].map(([id, version]) => ({ id, version }))))].filter(hasPass);
}

type PassOffer = { candidate: PassCandidate; pass: AthletePass };

/**
 * One pass for each price sheet that has photos of the athlete. Of a pass in the cart, the one of the named gallery's price
 * sheet is chosen, else the one with most photos. @throws invalid if it is not for sale
 */
function passesOf(
  { key, whose, wanted, athlete }: Athlete,
  { seasonEnds }: athletesSql.AthleteFacts,
  { sheets, photos }: { sheets: readonly FrozenSheet[]; photos: readonly athletesSql.AthletePhotos[] },
): PassOffer[] {
  const sold = sheets.flatMap((sheet) => {
    const offer = sheet.content.offers.find(({ kind }) => kind === 'athlete_pass');
    const own = photos.filter(({ sheetId }) => sheetId === sheet.id);
    const photosInAll = own.reduce((sum, one) => sum + one.photos, 0);
    return offer?.kind === 'athlete_pass' && own.length > 0 ? [{ sheetId: sheet.id, offer, own, photosInAll }] : [];
  });
  const named = wanted?.galleryId ?? null;
  const [chosen] = sold
    .filter(({ own }) => named === null || own.some(({ galleryId }) => galleryId === named))
    .toSorted(byPhotos);
  if (wanted && !chosen) throw refused(athletePassRefusal);
  return sold.map(({ sheetId, offer, own, photosInAll }) => ({
    candidate: {
      sheetId,
      offerId: offer.id,
      kind: 'athlete_pass',
      galleryId: null,
      athleteKey: key,
      whose,
      priceCents: offer.priceCents,
      photoIds: own.flatMap(({ inCart }) => inCart).toSorted((a, b) => a - b),
      inCart: wanted !== null && chosen?.sheetId === sheetId,
      photosInAll,
    },
    pass: {
      key,
      sheetId,
      athlete,
      seasonEnds,
      galleries: own.map(({ galleryId, photos: inGallery }) => ({ galleryId, photos: inGallery })),
    },
  }));
}

/** Most photos first; at a tie, the older price sheet. */
const byPhotos = (a: PhotosOfSheet, b: PhotosOfSheet) => b.photosInAll - a.photosInAll || a.sheetId - b.sheetId;
type PhotosOfSheet = { photosInAll: number; sheetId: number };
