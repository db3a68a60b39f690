/** API tokens for every route: their format, their scopes, and refusals. */

/** The prefix of every token, so that people and scanners of leaked secrets recognize one. */
export const API_TOKEN_PREFIX = 'sideline_';

/** The scopes of tokens. A route declares the scope that it accepts; a route without one accepts no token. */
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
