/** API tokens as every route knows them: what they look like, what one may be allowed, and the words of a refusal. */

/** Begins every token, so that people and scanners of leaked secrets recognize one. */
export const API_TOKEN_PREFIX = 'sideline_';

/** What a token may be allowed. A route names the scope that it takes; one that names none takes no token. */
export const TOKEN_SCOPES = [
  'galleries:read',
  'galleries:write',
  'photos:write',
  'orders:read',
  'reports:read',
] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

export const TOKEN_NOT_VALID = 'This API token is unknown, expired or revoked.';
export const TOKEN_NOT_TAKEN = 'An API token can’t make this call.';
export const TOKEN_NEEDED = 'This call takes an API token.';
export const lacksScope = (scope: TokenScope) => `This API token doesn’t have the scope ${scope}.`;
