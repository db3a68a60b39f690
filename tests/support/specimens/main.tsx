/** The design kit on one page, for people to look at and for tests to click. Never part of the product. */
import '#tests/support/specimens/specimens.css';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, Outlet, RouterProvider, type RouteObject } from 'react-router';
import { Toaster } from '#src/ui/toaster.tsx';
import { accentTokens } from '#src/shared/color.ts';
import { accentStyle } from '#src/web/frame/accent-style.ts';
import { ErrorScreen, NotFoundScreen } from '#src/web/frame/error-screens.tsx';
import { Controls } from '#tests/support/specimens/controls.tsx';
import { Gallery, Lightbox } from '#tests/support/specimens/gallery.tsx';
import { PublicFrame, WorkingFrame } from '#tests/support/specimens/frames.tsx';

function Root() {
  const accent = new URLSearchParams(window.location.search).get('accent');
  return (
    <div className={accent ? 'accented' : undefined} style={accent ? accentStyle(accentTokens(accent)) : undefined}>
      <Outlet />
      <Toaster />
    </div>
  );
}

const children: RouteObject[] = [
  { path: '/', element: <Controls /> },
  { path: '/gallery', element: <Gallery />, children: [{ path: 'photo/:photo', element: <Lightbox /> }] },
  { path: '/working', element: <WorkingFrame /> },
  { path: '/public', element: <PublicFrame /> },
  { path: '/not-found', element: <NotFoundScreen /> },
  { path: '/failed', element: <ErrorScreen error={new Error('anything')} /> },
];
const root = document.getElementById('root');
if (root) createRoot(root).render(<RouterProvider router={createBrowserRouter([{ element: <Root />, children }])} />);
