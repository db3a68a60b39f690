/** The call that logs in, for the login page and for a page whose session has ended. */
import { NO_AUTH_HEADER, type LoginBody } from '#src/features/accounts/accounts.contract.ts';
import { rememberLoginError } from '#src/features/accounts/auth-state.client.ts';
import type { UserAnswer } from '#src/features/tenancy/users.contract.ts';
import { api, type ApiResult, type Refused } from '#src/web/api-client.ts';

/** An answer without its header is not a login. */
export async function logIn(user: LoginBody['user']): Promise<ApiResult<UserAnswer>> {
  let hasHeader = false;
  const answer = await api('POST /login', {
    body: { user },
    onHeaders: (headers) => (hasHeader = headers.has('authorization')),
  });
  const [signedIn] = answer.ok && hasHeader ? answer.data : [];
  if (signedIn) return { ok: true, status: answer.status, data: signedIn };
  const refused: Refused = answer.ok
    ? { ok: false, status: answer.status, error: NO_AUTH_HEADER, errors: {}, body: {}, retryAfterSeconds: null }
    : answer;
  rememberLoginError(refused.error);
  return refused;
}
