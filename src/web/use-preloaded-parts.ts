import { useEffect } from 'react';
import { afterLoad } from '#src/web/after-load.ts';

/**
 * Loads the file with all parts that the first view does not need, but a click or a lost connection may need at any moment:
 * dialogs, messages, error screens (`LATER` in vite.config.ts), and what follows new pages. It waits until the page and its
 * pictures have loaded. Each part handles its own absence.
 */
export function usePreloadedParts(): void {
  useEffect(
    () =>
      afterLoad(() => {
        import('#src/ui/follow-pages.ts').then(
          ({ followPages }) => followPages(),
          () => undefined,
        );
      }),
    [],
  );
}
