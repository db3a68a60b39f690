/**
 * Members of an organization give API tokens to programs: for this organization only, with some scopes, until a day or
 * without an end. A token is shown once and stored as a hash. It works while its organization exists and its creator
 * administers it; its actions and limits count as the creator's (decision record 0070).
 */
import * as accountsSql from '#src/features/accounts/accounts.sql.ts';
import type { AccountService } from '#src/features/accounts/accounts.service.ts';
import * as words from '#src/features/api-tokens/api-tokens.contract.ts';
import { tokenMadeEmail } from '#src/features/api-tokens/api-tokens.mail.tsx';
import * as tokensSql from '#src/features/api-tokens/api-tokens.sql.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import { belongsTo, requireUser, type Caller, type TokenActor } from '#src/features/tenancy/actor.rules.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import { editedBy, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { API_TOKEN_PREFIX, TOKEN_NEEDED, TOKEN_NOT_VALID } from '#src/features/tenancy/token-scopes.contract.ts';
import { tenantScope, type Scope, type Writer } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { hashToken, randomToken } from '#src/platform/secrets.ts';
import { bind } from '#src/shared/bind.ts';
import { present } from '#src/shared/field-names.ts';
import { pageOf, type PageQuery } from '#src/shared/paging.ts';
import { notFound, problem } from '#src/shared/problem.ts';
import { DAY_SECONDS } from '#src/shared/dates.ts';

const LOOKED_UP: Scope = { kind: 'system', why: 'a token is looked up before its organization is known' };
const PEOPLE: Scope = { kind: 'system', why: 'members of an organization are notified of its new tokens' };

/** 32 random bytes. Other texts are refused without a query. */
const TOKEN = /^sideline_[A-Za-z0-9_-]{43}$/;
/** A program that sends photos makes two calls for each. */
const CALLS_A_MINUTE = 600;
/** Each one sends an email to the organization's members. */
const TOKENS_A_DAY = 40;
const EMAILED_MEMBERS = 50;

export type ApiTokenService = ReturnType<typeof createApiTokens>;

type ApiTokenDeps = Pick<Platform, 'database' | 'limits' | 'outbox'> & {
  organizations: Pick<OrganizationService, 'byId'>;
  accounts: Pick<AccountService, 'requireRecentPassword'>;
  audit: AuditRecorder;
};

/** The actor of a token; records its use. @throws unauthenticated for an unknown, expired or revoked one; too_many */
export async function actorOf(ctx: ApiTokenDeps, token: string): Promise<TokenActor> {
  const found = TOKEN.test(token)
    ? await ctx.database.read(LOOKED_UP, (db) => tokensSql.findLive(db, hashToken(token)))
    : null;
  if (!found) throw problem('unauthenticated', TOKEN_NOT_VALID);
  const { id: tokenId, organizationId, scopes, madeBy: userId } = found;
  await ctx.limits.take({ bucket: `api-token:${tokenId}`, limit: CALLS_A_MINUTE, windowSeconds: 60 });
  if (found.isDue) await ctx.database.write(tenantScope(organizationId), (tx) => tokensSql.noteUse(tx, tokenId));
  return { kind: 'token', tokenId, organizationId, scopes, userId };
}

/**
 * The tokens of an organization, newest first, including revoked ones.
 * @throws unauthenticated; not_found for other organizations
 */
export async function list(
  ctx: ApiTokenDeps,
  caller: Caller,
  organizationId: number,
  { after, limit = words.TOKENS_PER_PAGE }: PageQuery = {},
): Promise<words.TokensPage> {
  requireUser(caller.actor);
  const owner = await editedBy(ctx.organizations, caller, organizationId);
  const rows = await ctx.database.read(tenantScope(owner.id), (db) =>
    tokensSql.list(db, owner.id, { after: after ?? null, limit: limit + 1 }),
  );
  const { shown, next } = pageOf(rows, limit);
  return { tokens: shown.map((row) => present(words.tokenAnswer, row)), next };
}

/**
 * Creates a token; only this response has it.
 * @throws unauthenticated, also "Please confirm your password."; not_found for other organizations; forbidden for a
 * platform admin who is not a member; conflict when the organization has the maximum; too_many
 */
export async function createToken(ctx: ApiTokenDeps, caller: Caller, organizationId: number, fresh: words.NewToken) {
  const actor = requireUser(caller.actor);
  const owner = await editedBy(ctx.organizations, caller, organizationId);
  // A token ends with its creator's access, so only members can create one.
  if (!belongsTo(actor, { organizationId: owner.id, parentOrganizationId: owner.parentOrganizationId }))
    throw problem('forbidden', words.MEMBERS_MAKE_TOKENS);
  ctx.accounts.requireRecentPassword(actor);
  await ctx.limits.take({ bucket: `api-tokens:${owner.id}`, limit: TOKENS_A_DAY, windowSeconds: DAY_SECONDS });
  const token = API_TOKEN_PREFIX + randomToken(32);
  const people = await ctx.database.read(PEOPLE, (db) => accountsSql.listProvenMembers(db, owner.id, EMAILED_MEMBERS));
  return ctx.database.write(tenantScope(owner.id), async (tx): Promise<words.MadeToken> => {
    if ((await tokensSql.countLive(tx, owner.id)) >= words.MAX_TOKENS) throw problem('conflict', words.TOO_MANY_TOKENS);
    const { name, scopes, expires_in_days: days } = fresh;
    const row = { organization_id: owner.id, name, token_hash: hashToken(token), ending: token.slice(-4) };
    const id = await tokensSql.insert(tx, { ...row, made_by: actor.userId, scopes, days });
    const made = await one(tx, owner, id);
    await record(ctx, tx, caller, { id, organizationId: owner.id }, 'made', { name, scopes, expires_in_days: days });
    for (const person of people)
      await ctx.outbox.queueEmail(
        tx,
        tokenMadeEmail(person, owner, { name, madeBy: made.made_by }, `token:${id}:${person.id}`),
      );
    return { ...made, token };
  });
}

/** Revokes a token immediately; doing it again changes nothing. @throws unauthenticated; not_found */
export async function revoke(ctx: ApiTokenDeps, caller: Caller, organizationId: number, id: number) {
  const { userId } = requireUser(caller.actor);
  const owner = await editedBy(ctx.organizations, caller, organizationId);
  return ctx.database.write(tenantScope(owner.id), async (tx) => {
    const token = { id, organizationId: owner.id };
    if (await tokensSql.revoke(tx, { ...token, by: userId })) await record(ctx, tx, caller, token, 'revoked', {});
    return one(tx, owner, id);
  });
}

/** A token's own description. @throws unauthenticated for anyone else */
export async function current(ctx: ApiTokenDeps, caller: Caller): Promise<words.CurrentToken> {
  const { actor } = caller;
  if (actor.kind !== 'token') throw problem('unauthenticated', TOKEN_NEEDED);
  const owner = await ctx.organizations.byId(actor.organizationId);
  const found = await ctx.database.read(tenantScope(actor.organizationId), (db) =>
    tokensSql.find(db, actor.organizationId, actor.tokenId),
  );
  if (!owner || !found) throw problem('unauthenticated', TOKEN_NOT_VALID);
  return present(words.currentToken, {
    ...found,
    organization: { id: owner.id, name: owner.name, domain_name: owner.domainName },
  });
}

/** Revokes the tokens of a person for organizations that they lost access to, in the caller's transaction. */
export async function endOfFormerMaker(ctx: ApiTokenDeps, tx: Writer, caller: Caller, userId: number): Promise<void> {
  await recordEnded(ctx, tx, caller, await tokensSql.revokeOfFormerMaker(tx, userId));
}

/** Revokes all tokens of an organization, in the caller's transaction that deletes it. */
export async function endAllOf(ctx: ApiTokenDeps, tx: Writer, caller: Caller, organizationId: number): Promise<void> {
  await recordEnded(ctx, tx, caller, await tokensSql.revokeAll(tx, organizationId));
}

export const createApiTokens = (deps: ApiTokenDeps) =>
  bind(deps, { actorOf, list, createToken, revoke, current, endOfFormerMaker, endAllOf });

async function one(tx: Writer, owner: Organization, id: number): Promise<words.TokenAnswer> {
  const row = await tokensSql.find(tx, owner.id, id);
  if (!row) throw notFound(words.TOKEN_NOT_FOUND);
  return present(words.tokenAnswer, row);
}

type Details = { name?: string; scopes?: string[]; expires_in_days?: number | null };

const auditEntryOf = ({ id, organizationId }: tokensSql.Ended, done: string, details: Details) => ({
  action: `api_token.${done}`,
  organizationId,
  object: ['api_token', id] as const,
  details,
});

function record(ctx: ApiTokenDeps, tx: Writer, caller: Caller, token: tokensSql.Ended, done: string, details: Details) {
  return ctx.audit.record(tx, caller, auditEntryOf(token, done, details));
}

function recordEnded(ctx: ApiTokenDeps, tx: Writer, caller: Caller, ended: readonly tokensSql.Ended[]): Promise<void> {
  return ctx.audit.recordAll(
    tx,
    caller,
    ended.map((token) => auditEntryOf(token, 'revoked', {})),
  );
}
