/** `/logout`: logs out with a call, so that a link from another site logs no one out (rule 5). */
import { useCallback, useEffect, useState } from 'react';
import { useRevalidator } from 'react-router';
import { LOGGED_OUT } from '#src/features/accounts/accounts.contract.ts';
import { forgetAuthState } from '#src/features/accounts/auth-state.client.ts';
import { forgetUploads } from '#src/features/uploads/uploads.client.ts';
import { Button } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { api, type ApiResult } from '#src/web/api-client.ts';
import { requestContext } from '#src/web/app-context.ts';
import { forgetDrafts } from '#src/web/tab-storage.ts';
import type { Route } from './+types/logout.page.ts';

export function meta() {
  return [{ title: 'Log out' }, { name: 'robots', content: 'noindex' }];
}

export function loader({ context, request }: Route.LoaderArgs) {
  const isSignedIn = context.get(requestContext).caller.actor.kind === 'user';
  return { isSignedIn, cameFromElsewhere: request.headers.get('sec-fetch-site') === 'cross-site' };
}

/** Opened here or typed by hand it logs out immediately; after a link of another site a click is needed. */
export default function LogoutPage({ loaderData }: Route.ComponentProps) {
  const [isOut, setIsOut] = useState(!loaderData.isSignedIn);
  const [problem, setProblem] = useState<string | null>(null);
  const { revalidate } = useRevalidator();

  const show = useCallback(
    (answer: ApiResult<unknown>) => {
      if (!answer.ok) return setProblem(answer.error);
      forgetAuthState();
      void forgetUploads();
      setIsOut(true);
      // The bar of this page still shows the user.
      void revalidate();
    },
    [revalidate],
  );

  // Also if the server has already ended the session.
  useEffect(() => {
    if (isOut) forgetDrafts();
  }, [isOut]);

  useEffect(() => {
    if (loaderData.isSignedIn && !loaderData.cameFromElsewhere) void api('POST /logout', {}).then(show);
  }, [loaderData.isSignedIn, loaderData.cameFromElsewhere, show]);

  return (
    <Main className="py-12">
      {isOut ? (
        <EmptyState
          level={1}
          title={LOGGED_OUT}
          action={
            <LinkButton to="/login" reloadDocument>
              Log in again
            </LinkButton>
          }
        >
          <span role="status">See you at the next game.</span>
        </EmptyState>
      ) : (
        <EmptyState
          level={1}
          title="Log out?"
          action={<Button onClick={() => void api('POST /logout', {}).then(show)}>Log Out</Button>}
        >
          {problem ?? 'You will need your password to log in again.'}
        </EmptyState>
      )}
    </Main>
  );
}
