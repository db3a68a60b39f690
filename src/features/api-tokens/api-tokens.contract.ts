/** API tokens of an organization: schemas and texts. Their format and scopes: tenancy/token-scopes.contract.ts. */
import * as z from 'zod/mini';
import { TOKEN_SCOPES, type TokenScope } from '#src/features/tenancy/token-scopes.contract.ts';
import { idSchema, requiredText } from '#src/shared/validators.ts';

export const API_TOKENS_TITLE = 'API tokens';
export const NAME_REQUIRED = 'Please name the program that will use this token.';
export const SCOPES_REQUIRED = 'Please choose what the token may do.';
export const DAYS_NOT_VALID = 'Must be a whole number of days from 1 to 730, or null for no end.';
export const MAX_TOKENS = 20;
export const TOO_MANY_TOKENS = `An organization can have ${MAX_TOKENS} API tokens at a time. Please revoke one first.`;
export const MEMBERS_MAKE_TOKENS = 'Only members of the organization can create its API tokens.';
export const TOKEN_NOT_FOUND = 'This API token cannot be found.';

export const MAX_NAME = 80;
const MAX_DAYS = 730;
export const TOKENS_PER_PAGE = 25;

/** Label and hint of each scope. */
export const SCOPE_WORDS: Record<TokenScope, { label: string; hint: string }> = {
  'galleries:read': {
    label: 'Read galleries',
    hint: 'Your galleries with their photos and passwords, hidden ones too.',
  },
  'galleries:write': { label: 'Change galleries', hint: 'Create galleries, change their settings, delete them.' },
  'photos:write': { label: 'Add and change photos', hint: 'Upload, rename, hide, sort and remove photos.' },
  'orders:read': { label: 'Read orders', hint: 'Who bought what, with names and emails.' },
  'reports:read': { label: 'Read reports', hint: 'Sales, statements and figures of galleries.' },
};

export const newTokenBody = z.strictObject({
  name: requiredText(MAX_NAME, NAME_REQUIRED),
  scopes: z.array(z.enum(TOKEN_SCOPES), { error: SCOPES_REQUIRED }).check(
    z.minLength(1, SCOPES_REQUIRED),
    z.maxLength(TOKEN_SCOPES.length),
    z.refine((list) => new Set(list).size === list.length, 'Please list each scope only once.'),
  ),
  /** Null for no end. */
  expires_in_days: z
    .nullable(z.number({ error: DAYS_NOT_VALID }))
    .check(
      z.refine((days) => days === null || (Number.isInteger(days) && days >= 1 && days <= MAX_DAYS), DAYS_NOT_VALID),
    ),
});
export type NewToken = z.infer<typeof newTokenBody>;

export const tokenAnswer = z.object({
  id: z.number(),
  name: z.string(),
  /** The last four characters of the token. */
  ending: z.string(),
  scopes: z.array(z.enum(TOKEN_SCOPES)),
  made_by: z.string(),
  created_at: z.string(),
  expires_at: z.nullable(z.string()),
  /** To the minute. */
  last_used_at: z.nullable(z.string()),
  revoked_at: z.nullable(z.string()),
});
export type TokenAnswer = z.infer<typeof tokenAnswer>;

/** The only response with the token itself. */
export const madeToken = z.object({ ...tokenAnswer.shape, token: z.string() });
export type MadeToken = z.infer<typeof madeToken>;

export const tokensPage = z.object({ tokens: z.array(tokenAnswer), next: z.nullable(z.number()) });
export type TokensPage = z.infer<typeof tokensPage>;

export const tokenParams = z.object({ id: idSchema, tokenId: idSchema });

/** A token's own description. */
export const currentToken = z.object({
  id: z.number(),
  name: z.string(),
  scopes: z.array(z.enum(TOKEN_SCOPES)),
  expires_at: z.nullable(z.string()),
  organization: z.object({ id: z.number(), name: z.string(), domain_name: z.string() }),
});
export type CurrentToken = z.infer<typeof currentToken>;
