/** `/users/me`: the login of the person who is signed in, whatever they belong to (decision record 0176). */
import { OwnDeletion, OwnEmail, OwnPassword } from '#src/features/settings/ui/own-login.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { requestContext } from '#src/web/app-context.ts';
import { requireUser } from '#src/web/guards.ts';
import { unlistedPage, WORKING_PAGE } from '#src/web/working-page.ts';
import type { Route } from './+types/account.page.ts';

export const handle = WORKING_PAGE;

export const meta = () => unlistedPage('Your account');

export async function loader({ context }: Route.LoaderArgs) {
  requireUser(context);
  const { app, caller } = context.get(requestContext);
  const { email, first_name: firstName, last_name: lastName } = await app.accounts.currentUser(caller);
  const askedAt = await app.deletionRequests.askedAt(caller);
  return { email, name: `${firstName} ${lastName}`.trim(), passwordMin: app.site.passwordMin, askedAt };
}

export default function AccountPage({ loaderData: { email, name, passwordMin, askedAt } }: Route.ComponentProps) {
  return (
    <Main>
      <PageHeader title="Your account" subtitle={name} />
      <OwnEmail email={email} />
      <OwnPassword email={email} passwordMin={passwordMin} />
      <OwnDeletion askedAt={askedAt} />
    </Main>
  );
}
