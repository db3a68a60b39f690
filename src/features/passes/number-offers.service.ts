/** What a search for a number offers: an email about new photos, and the pass of the number (athletes specification B.3, B.6). */
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { offeredPasses, type AthleteOfferDeps } from '#src/features/order-offers/athlete-offers.service.ts';
import { numberKey } from '#src/features/order-offers/athlete-key.rules.ts';
import type { NumberOffers } from '#src/features/passes/passes.contract.ts';
import { listSearchedTeams } from '#src/features/passes/number-offers.sql.ts';
import { typedNumber } from '#src/features/photos/numbers.rules.ts';
import type { Caller } from '#src/features/tenancy/actor.rules.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import type { Clock } from '#src/platform/clock.ts';
import { tenantOf } from '#src/platform/db/db.ts';
import { bind } from '#src/shared/bind.ts';
import { machineDay } from '#src/shared/dates.ts';

type NumberOfferDeps = Pick<AthleteOfferDeps, 'database' | 'sheets'> & {
  clock: Clock;
  galleries: Pick<GalleryService, 'view'>;
  organizations: Pick<OrganizationService, 'byId'>;
};
export type NumberOfferService = ReturnType<typeof createNumberOffers>;

const NOTHING: NumberOffers = { number: null, teams: [] };

/**
 * Teams of current seasons, whether or not someone wears the number: the answer reveals nothing about a child who must
 * not be published. Empty for a private gallery, one with a password, and where numbers are not public.
 * @throws not_found
 */
export async function ofNumber(
  ctx: NumberOfferDeps,
  caller: Caller,
  galleryId: number,
  { search }: { search: string },
): Promise<NumberOffers> {
  const { gallery } = await ctx.galleries.view(caller, galleryId);
  const typed = typedNumber(search);
  if (!typed || gallery.isPrivate || gallery.passwordRequired) return NOTHING;
  const { organizationId, priceSheetId } = gallery;
  const seller = await ctx.organizations.byId(organizationId);
  const today = machineDay(ctx.clock.now(), seller?.timeZone);
  const teams = await ctx.database.read(tenantOf({ organizationId }), (db) =>
    listSearchedTeams(db, { organizationId, today, shortName: typed.team }),
  );
  if (teams.length === 0) return NOTHING;
  const { number } = typed;
  const keys = teams.map(({ id }) => ({ key: numberKey(id, number), number }));
  const passes = priceSheetId === null ? [] : await offeredPasses(ctx, { id: organizationId, today }, keys, galleryId);
  const passOf = new Map(passes.map((pass) => [pass.athlete_key, pass]));
  return { number, teams: teams.map((team) => ({ ...team, pass: passOf.get(numberKey(team.id, number)) ?? null })) };
}

export const createNumberOffers = (deps: NumberOfferDeps) => bind(deps, { ofNumber });
