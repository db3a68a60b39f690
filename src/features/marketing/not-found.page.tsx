/** `/404` and every address that nothing else answers; both with status 404 (decision 50). */
import { data } from 'react-router';
import { guardClosedRooms } from '#src/web/closed-rooms.ts';
import { NotFoundScreen, PAGE_NOT_FOUND } from '#src/web/error-screens.tsx';
import type { Route } from './+types/not-found.page.ts';

export function loader({ context }: Route.LoaderArgs) {
  guardClosedRooms(context);
  return data(null, { status: 404 });
}

export function meta() {
  return [{ title: PAGE_NOT_FOUND }];
}

export default function NotFoundPage() {
  return <NotFoundScreen />;
}
