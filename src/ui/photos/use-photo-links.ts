import { useCallback, useContext, type MouseEvent } from 'react';
import { UNSAFE_ViewTransitionContext as ViewTransitionContext, useLocation, useNavigate } from 'react-router';
import { isPlainClick } from '#src/ui/photos/plain-click.ts';
import { OPENED_HERE } from '#src/ui/photos/use-open-photo.ts';

/**
 * What React Router's `Link` does, once for a whole grid: with about eight hooks per link it was most of the cost of
 * rendering a gallery on the server and of hydrating it on a phone.
 */
export function usePhotoLinks() {
  const navigate = useNavigate();
  const here = useLocation().pathname;
  const transition = useContext(ViewTransitionContext);
  const follow = useCallback(
    (event: MouseEvent<HTMLAnchorElement>) => {
      if (!isPlainClick(event)) return;
      event.preventDefault();
      void navigate(event.currentTarget.getAttribute('href') ?? '', {
        preventScrollReset: true,
        viewTransition: true,
        state: OPENED_HERE,
      });
    },
    [navigate],
  );
  const ends = transition.isTransitioning
    ? [transition.currentLocation.pathname, transition.nextLocation.pathname]
    : [];
  // While the stage shows the photo, its tile must not have the same view transition name.
  return { follow, movingPath: ends.find((path) => path !== here) ?? null };
}
