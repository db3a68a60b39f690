/** `/w/confirm?key=`: the target of the button in the first email, and of Undo after a stop. */
import { data } from 'react-router';
import { CONFIRM_TITLE, LINK_UNKNOWN, STOP_TITLE, watchConfirmed } from '#src/features/watches/watches.contract.ts';
import { watchPath } from '#src/features/watches/watches.rules.ts';
import { WatchSheet } from '#src/features/watches/ui/watch-sheet.tsx';
import { orNull } from '#src/shared/problem.ts';
import { buttonStyle } from '#src/ui/button-style.ts';
import { requestContext } from '#src/web/app-context.ts';
import type { Route } from './+types/confirm-watch.page.ts';
import { SECRET_PAGE, secretMeta } from '#src/web/secret-page.ts';

export const headers = () => SECRET_PAGE;
export const shouldRevalidate = () => false;
export const meta = () => secretMeta(CONFIRM_TITLE);

export async function loader({ context }: Route.LoaderArgs) {
  const { app, url } = context.get(requestContext);
  const key = url.searchParams.get('key') ?? '';
  const watch = await orNull(app.watches.confirm(key, url.searchParams.get('all') === 'yes'));
  return data({ watch, stopTo: watchPath('stop', key) }, { status: watch ? 200 : 404, headers: SECRET_PAGE });
}

export default function ConfirmWatchPage({ loaderData }: Route.ComponentProps) {
  const { watch, stopTo } = loaderData;
  if (!watch) return <WatchSheet title={STOP_TITLE} intro={LINK_UNKNOWN} />;
  const { number, organization } = watch;
  return (
    <WatchSheet title={CONFIRM_TITLE} message={watchConfirmed(number)}>
      {organization && (
        <a href={`/${organization.path}`} className={buttonStyle({ variant: 'primary' })}>
          See the photos of {organization.name}
        </a>
      )}
      <a href={stopTo} className="inline-flex min-h-11 items-center text-sm text-quiet underline underline-offset-4">
        Stop these emails
      </a>
    </WatchSheet>
  );
}
