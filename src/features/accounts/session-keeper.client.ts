/** When a page whose session has ended asks its viewer to log in again, and who waits for that. */
import { LOGGED_IN_AGAIN } from '#src/features/accounts/auth-state.client.ts';
import { LOG_IN_FIRST, VIEWER_HEADER } from '#src/features/tenancy/actor.rules.ts';
import { hasUnsaved } from '#src/ui/leave-guard.tsx';
import { api } from '#src/web/api-client.ts';
import { session, type SessionKeeper } from '#src/web/ended-session.ts';

/** A promise, and the function that resolves it. */
function newWait<T>() {
  let resolve: (value: T) => void = () => undefined;
  return { promise: new Promise<T>((settle) => (resolve = settle)), resolve };
}

/** The limit of a call that passed while the password was typed says nothing about the server. */
function withoutOldLimit<Call extends { signal?: AbortSignal }>(call: Call): Call {
  if (!(call.signal?.reason instanceof DOMException && call.signal.reason.name === 'TimeoutError')) return call;
  const { signal: _passed, ...unlimited } = call;
  return unlimited as Call;
}

/** @param show shows the dialog that asks, or closes it */
export function createSessionKeeper(viewerId: number, show: (isAsking: boolean) => void) {
  /** Of all calls that were refused while the dialog is open. */
  let question: ReturnType<typeof newWait<boolean>> | null = null;
  /** While there is no session, also after the person canceled. */
  let absence: ReturnType<typeof newWait<void>> | null = null;

  function ask(): Promise<boolean> {
    absence ??= newWait();
    keeper.pause = absence.promise;
    question ??= newWait();
    show(true);
    return question.promise;
  }

  /** `isBack` is false if the person canceled. */
  function close(isBack: boolean): void {
    show(false);
    question?.resolve(isBack);
    question = null;
    if (!isBack) return;
    goOn();
    window.dispatchEvent(new Event(LOGGED_IN_AGAIN));
  }

  function goOn(): void {
    absence?.resolve();
    absence = null;
    keeper.pause = undefined;
  }

  /** Another window has logged in or out. Without a session of the viewer this very call asks for the password. */
  async function askWhoIsHere(): Promise<void> {
    const answer = await api('GET /users/current', {});
    if (answer.ok) close(true);
  }

  const keeper: SessionKeeper = {
    headers: { [VIEWER_HEADER]: String(viewerId) },
    async logInAfter({ status, error }, call) {
      const isAsked = status === 401 && error === LOG_IN_FIRST && !call.inBackground && (await ask());
      return isAsked ? withoutOldLimit(call) : null;
    },
    keepsPage() {
      const keeps = hasUnsaved();
      // Also on a page that is loaded again for the same viewer: what repeats has waited since "Cancel".
      if (keeps || absence !== null) void askWhoIsHere();
      return keeps;
    },
  };

  return {
    close,
    /** From now on for all calls of the page; returns a function that ends it. */
    start() {
      session.keeper = keeper;
      return () => {
        delete session.keeper;
        close(false);
        goOn();
      };
    },
  };
}
