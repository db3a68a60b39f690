/** `/w/stop?key=`: asks first, because programs that scan links open them, too; then confirms it, with an undo. */
import { data } from 'react-router';
import {
  allStopped,
  LINK_UNKNOWN,
  STOP_BUTTON,
  STOP_TITLE,
  UNDO,
  watchStopped,
} from '#src/features/watches/watches.contract.ts';
import { watchPath } from '#src/features/watches/watches.rules.ts';
import { WatchSheet } from '#src/features/watches/ui/watch-sheet.tsx';
import { orNull } from '#src/shared/problem.ts';
import { Button } from '#src/ui/button.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { requestContext } from '#src/web/app-context.ts';
import type { Route } from './+types/stop-watch.page.ts';
import { SECRET_PAGE, secretMeta } from '#src/web/secret-page.ts';

export const headers = () => SECRET_PAGE;
export const meta = () => secretMeta(STOP_TITLE);

export async function loader({ context }: Route.LoaderArgs) {
  const { app, url } = context.get(requestContext);
  const key = url.searchParams.get('key') ?? '';
  const all = url.searchParams.get('all') === 'yes';
  const watch = await orNull(app.watches.read(key));
  if (!watch) return data(null, { status: 404, headers: SECRET_PAGE });
  const { player, organization, stopped } = watch;
  const team = organization?.name ?? 'this team';
  return data(
    {
      about: all ? `new photos of ${team}` : player,
      stopped,
      message: all ? allStopped(team) : watchStopped(player),
      stopTo: watchPath('stop', key, all),
      undoTo: watchPath('confirm', key, all),
    },
    { headers: SECRET_PAGE },
  );
}

export default function StopWatchPage({ loaderData }: Route.ComponentProps) {
  if (!loaderData) return <WatchSheet title={STOP_TITLE} intro={LINK_UNKNOWN} />;
  const { about, stopped, message, stopTo, undoTo } = loaderData;
  if (stopped)
    return (
      <WatchSheet title={STOP_TITLE} message={message}>
        <a href={undoTo} className={buttonStyle({ variant: 'secondary' })}>
          {UNDO}
        </a>
      </WatchSheet>
    );
  return (
    <WatchSheet title={STOP_TITLE} intro={`We send you emails about ${about}.`}>
      <form method="post" action={stopTo} className="flex flex-col">
        <input type="hidden" name="from" value="page" />
        <Button type="submit" size="large">
          {STOP_BUTTON}
        </Button>
      </form>
    </WatchSheet>
  );
}
