/** One screen per kind of failure. Says what happened, what is safe and what to do. */
import type { ReactNode } from 'react';
import { isRouteErrorResponse } from 'react-router';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { SearchX, ServerCrash, Lock, Timer, CircleAlert } from '#src/ui/icon.tsx';
import { isConnectionLost, PAGE_NOT_FOUND, statusOfError, titleOfError } from '#src/web/frame/error-titles.ts';
import type { Refusal } from '#src/web/refusals.ts';
import { useReloadWhenBack } from '#src/web/use-reload-when-back.ts';
import { OTHER_ACCOUNT } from '#src/web/words.ts';

/** The error screen of any page: by status for refusals, 500 for everything unexpected. */
export function ErrorScreen({ error }: { error: unknown }) {
  const status = statusOfError(error);
  const message = isRouteErrorResponse(error) ? ((error.data as Partial<Refusal> | null)?.message ?? null) : null;
  if (status === 404) return <NotFoundScreen />;
  if (status === 503 || isConnectionLost(error)) return <UnavailableScreen title={titleOfError(error)} />;
  if (status === 403) {
    return (
      <Screen
        title={titleOfError(error)}
        icon={<Lock />}
        more={
          message === OTHER_ACCOUNT && (
            <LinkButton to="/logout" variant="secondary">
              Log Out
            </LinkButton>
          )
        }
      >
        {message ?? 'It belongs to someone else. If you have another account, log in with that one.'}
      </Screen>
    );
  }
  if (status === 429) {
    return (
      <Screen title={titleOfError(error)} icon={<Timer />}>
        {message ?? 'Too many requests. Try again in a minute.'}
      </Screen>
    );
  }
  if (status < 500) {
    return (
      <Screen title={titleOfError(error)} icon={<CircleAlert />}>
        {message ?? 'We couldn’t understand this request.'}
      </Screen>
    );
  }
  return (
    <Screen title={titleOfError(error)} icon={<ServerCrash />}>
      Nothing is lost, and we were notified. Please try again.
    </Screen>
  );
}

/** Also the page at `/404`. */
export function NotFoundScreen() {
  return (
    <Screen
      title={PAGE_NOT_FOUND}
      icon={<SearchX />}
      more={
        <LinkButton to="/find-my-order" variant="secondary">
          Find my order
        </LinkButton>
      }
    >
      The address may be mistyped, or the gallery may have been closed by its owner. Photos that you bought stay yours:
      the link in your receipt still works.
    </Screen>
  );
}

/** Reloads automatically: the response carries `Refresh: 1`, and in the browser the page tries every second. */
function UnavailableScreen({ title }: { title: string }) {
  useReloadWhenBack();
  return (
    <Screen title={title} icon={<Timer />} home={false}>
      <span role="status">This page opens automatically as soon as it can. Nothing is lost.</span>
    </Screen>
  );
}

type ScreenProps = {
  title: string;
  icon: ReactNode;
  home?: boolean;
  /** An action other than going home. */
  more?: ReactNode;
  children: ReactNode;
};

function Screen({ title, icon, home = true, more = null, children }: ScreenProps) {
  return (
    <main
      id="main"
      tabIndex={-1}
      className="mx-auto grid min-h-[60dvh] w-full max-w-content place-items-center px-5 py-12"
    >
      <EmptyState
        level={1}
        icon={icon}
        title={title}
        action={
          home ? (
            <div className="flex flex-wrap justify-center gap-3">
              <LinkButton to="/">Go to the home page</LinkButton>
              {more}
            </div>
          ) : null
        }
      >
        {children}
      </EmptyState>
    </main>
  );
}
