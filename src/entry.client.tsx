import { StrictMode, startTransition } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { HydratedRouter } from 'react-router/dom';

function hydrate(): void {
  startTransition(() => {
    hydrateRoot(
      document,
      <StrictMode>
        <HydratedRouter />
      </StrictMode>,
    );
  });
}

// In someone else's page nothing navigates before the guard is active: without it links load documents, which the
// policy keeps out of frames.
if (window.top === window) hydrate();
else
  void import('#src/features/cart/framed.client.ts').then(({ guardFrame }) => {
    guardFrame(window);
    hydrate();
  });
