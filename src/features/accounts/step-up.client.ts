/** Calls that need a recent password (rule 47): sent, and sent again after the password was typed. */
import { useRef, useState } from 'react';
import { CONFIRM_PASSWORD_FIRST } from '#src/features/accounts/accounts.contract.ts';
import type { ApiResult } from '#src/web/api-client.ts';

/** `needsPassword` and `onDone` are for `ConfirmPassword`. `send` returns null if the person canceled. */
export function useStepUp() {
  const [needsPassword, setNeedsPassword] = useState(false);
  const decide = useRef<(confirmed: boolean) => void>(undefined);

  function onDone(confirmed: boolean): void {
    setNeedsPassword(false);
    decide.current?.(confirmed);
  }

  async function send<T>(call: () => Promise<ApiResult<T>>): Promise<ApiResult<T> | null> {
    const answer = await call();
    if (answer.ok || answer.status !== 401 || answer.error !== CONFIRM_PASSWORD_FIRST) return answer;
    setNeedsPassword(true);
    const confirmed = await new Promise<boolean>((resolve) => {
      decide.current = resolve;
    });
    return confirmed ? call() : null;
  }

  return { needsPassword, onDone, send };
}
