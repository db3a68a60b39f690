/** `/:affiliate/roster/import`: a roster from a CSV file, for members of an organization (athletes specification B.3). */
import { IMPORT_TITLE } from '#src/features/roster-imports/roster-imports.contract.ts';
import { RosterImportScreen } from '#src/features/roster-imports/ui/roster-import-screen.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { membersOnly } from '#src/web/guards.ts';
import { workingMeta, WORKING_PAGE } from '#src/web/working-page.ts';
import type { Route } from './+types/roster-import.page.ts';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [membersOnly];

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller } = context.get(requestContext);
  const { id, name, domainName: path } = context.get(affiliateContext);
  const [recent, { seasons }, { chosen }] = await Promise.all([
    app.rosterImports.recent(caller, id),
    app.seasons.list(caller, id),
    app.consentOffice.settings(caller, id),
  ]);
  return {
    id,
    name,
    path,
    seasons,
    running: recent.find(({ status }) => status === 'running') ?? null,
    isAnswered: chosen,
  };
}

export const meta = workingMeta(IMPORT_TITLE);

export default function RosterImportPage({ loaderData }: Route.ComponentProps) {
  return <RosterImportScreen key={loaderData.id} {...loaderData} />;
}
