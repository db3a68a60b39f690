import { useEffect, useState } from 'react';

/**
 * For what is rendered while it asks: if the button that opened it is gone afterwards, the focus goes to what is next to it
 * (decision records 0157, 0160).
 */
export function useFocusNearby(): void {
  const [place] = useState(() => {
    const opener = document.activeElement;
    return import('#src/ui/focus-nearby.ts').then(
      (focus) => focus.rememberPlace(opener),
      // Without a network the focus stays where the browser puts it.
      () => undefined,
    );
  });
  useEffect(() => () => void place.then((focusNearby) => focusNearby?.()), [place]);
}
