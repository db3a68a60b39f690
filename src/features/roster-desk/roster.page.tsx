/** `/:affiliate/roster`: seasons, teams and athletes, for members of an organization (athletes specification B.3). */
import { CONSENTS } from '#src/features/consent/consent.contract.ts';
import { ROSTER_TITLE } from '#src/features/roster/roster.contract.ts';
import { RosterScreen } from '#src/features/roster-desk/ui/roster-screen.tsx';
import { readId } from '#src/shared/read-id.ts';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { membersOnly } from '#src/web/guards.ts';
import { workingMeta, WORKING_PAGE } from '#src/web/working-page.ts';
import type { Route } from './+types/roster.page.ts';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [membersOnly];

export async function loader({ context, request }: Route.LoaderArgs) {
  const { app, caller } = context.get(requestContext);
  const { id, name, domainName: path } = context.get(affiliateContext);
  const params = new URL(request.url).searchParams;
  const [{ seasons }, { chosen, consent_yearly: isYearly }] = await Promise.all([
    app.seasons.list(caller, id),
    app.consentOffice.settings(caller, id),
  ]);
  const wanted = readId(params.get('season') ?? '');
  const season = seasons.find((each) => each.id === wanted) ?? seasons.find(({ current }) => current) ?? null;
  const { teams } = season ? await app.seasons.listTeams(caller, id, { season: season.id }) : { teams: [] };
  const team = teams.find((each) => each.id === readId(params.get('team') ?? ''))?.id ?? null;
  const consent = CONSENTS.find((each) => each === params.get('consent')) ?? null;
  const filter = {
    ...(consent === null ? {} : { consent }),
    ...(season ? { season: season.id } : {}),
    ...(team === null ? {} : { team }),
  };
  const page = await app.athletes.list(caller, id, filter);
  return {
    id,
    name,
    path,
    seasons,
    season: season?.id ?? null,
    teams,
    team,
    consent,
    page,
    isAnswered: chosen,
    isYearly,
  };
}

export const meta = workingMeta(ROSTER_TITLE);

export default function RosterPage({ loaderData }: Route.ComponentProps) {
  const { id, season, team, consent } = loaderData;
  return <RosterScreen key={`${id} ${season} ${team} ${consent}`} {...loaderData} />;
}
