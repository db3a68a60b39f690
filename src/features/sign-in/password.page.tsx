/** `/password`: the address of API calls; if a browser opens it, redirects to the matching page. */
import { redirect } from 'react-router';
import { requestContext } from '#src/web/app-context.ts';
import type { Route } from './+types/password.page.ts';

export function loader({ context }: Route.LoaderArgs) {
  const { url } = context.get(requestContext);
  throw redirect(url.searchParams.has('reset_password_token') ? `/update-password${url.search}` : '/forgot-password');
}
