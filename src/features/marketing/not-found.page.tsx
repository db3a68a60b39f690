/** `/404` and every unknown address; both with status 404 (rule 50). */
import { data } from 'react-router';
import { NotFoundScreen } from '#src/web/frame/error-screens.tsx';
import { PAGE_NOT_FOUND } from '#src/web/frame/error-titles.ts';

export function loader() {
  return data(null, { status: 404 });
}

export function meta() {
  return [{ title: PAGE_NOT_FOUND }];
}

export default function NotFoundPage() {
  return <NotFoundScreen />;
}
