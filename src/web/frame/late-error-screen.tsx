/** The error screen for pages that load it after themselves: few visitors ever see one. */
import { lazy, Suspense } from 'react';
import { titleOfError } from '#src/web/frame/error-titles.ts';

const Screen = lazy<typeof Plain>(() =>
  import('#src/web/frame/error-screens.tsx').then(
    ({ ErrorScreen }) => ({ default: ErrorScreen }),
    () => ({ default: Plain }),
  ),
);

export function LateErrorScreen({ error }: { error: unknown }) {
  return (
    <Suspense>
      <Screen error={error} />
    </Suspense>
  );
}

/** If the connection was lost before the screen was loaded. */
function Plain({ error }: { error: unknown }) {
  return (
    <main id="main" tabIndex={-1} className="mx-auto w-full max-w-content px-5 py-12 text-center">
      <h1 className="text-2xl">{titleOfError(error)}</h1>
      <p className="py-4">
        <button type="button" className="min-h-11 font-semibold underline" onClick={() => window.location.reload()}>
          Try again
        </button>
      </p>
    </main>
  );
}
