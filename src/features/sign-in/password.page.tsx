/** `/password`: the address of the calls, opened by hand; leads to the page that belongs to it. */
import { redirect } from 'react-router';
import { requestContext } from '#src/web/app-context.ts';
import type { Route } from './+types/password.page.ts';

export function loader({ context }: Route.LoaderArgs) {
  const { url } = context.get(requestContext);
  throw redirect(url.searchParams.has('reset_password_token') ? `/update-password${url.search}` : '/forgot-password');
}
