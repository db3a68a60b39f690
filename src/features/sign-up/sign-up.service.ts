/**
 * Opens an account: a person and their organization below a parent, free, with a promo code or paid. The card is charged before
 * anything is written; person, organization, payment and session are written in one transaction, and if that fails the payment
 * is refunded.
 */
import type { AccountService } from '#src/features/accounts/accounts.service.ts';
import type { UserAnswer } from '#src/features/tenancy/users.contract.ts';
import * as accountsSql from '#src/features/accounts/accounts.sql.ts';
import { isPlatformAdmin, LOG_IN_FIRST, type Caller } from '#src/features/tenancy/actor.rules.ts';
import { SESSION_DAYS } from '#src/features/tenancy/sessions.rules.ts';
import * as words from '#src/features/sign-up/sign-up.contract.ts';
import type { SignUpBody } from '#src/features/sign-up/sign-up.contract.ts';
import type { EmailProofs } from '#src/features/accounts/email-proof.service.ts';
import * as signUpKeysSql from '#src/features/sign-up/sign-up-keys.sql.ts';
import { isTaken, pathOf, costOf, type AccountPlan } from '#src/features/sign-up/sign-up-cost.rules.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import { PROMO_CODE_NOT_VALID } from '#src/features/billing/billing.contract.ts';
import type { BillingService, SignUpPayment } from '#src/features/billing/billing.service.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import type { Writer } from '#src/platform/db/db.ts';
import type { Keys, Platform } from '#src/platform/platform.ts';
import { hashPassword, hashToken, randomToken, signValue } from '#src/platform/secrets.ts';
import { bind } from '#src/shared/bind.ts';
import { isProblem, problem, fieldProblem } from '#src/shared/problem.ts';

const SIGN_UP = { kind: 'system', why: 'who signs up has no organization yet' } as const;
/** Of one sender. */
const FORMS_A_MINUTE = 30;
const TAKEN_IN_TEN_MINUTES = 20;

/** The part of the module `billing` that a sign-up needs. */
type SignUpBilling = Pick<
  BillingService,
  'promoIsValid' | 'redeemPromo' | 'chargeSignUp' | 'bookSignUpPayment' | 'undoSignUpPayment'
>;

export type SignUpService = ReturnType<typeof createSignUpService>;

type SignUpSite = {
  /** The host's label, used if the body has no parent. */
  hostLabel: string | null;
  mustPay: boolean;
};

type SignUpDeps = Pick<Platform, 'database' | 'limits'> & {
  accounts: AccountService;
  proofs: Pick<EmailProofs, 'mayWelcome' | 'welcomeWithin'>;
  organizations: OrganizationService;
  billing: SignUpBilling;
  audit: AuditRecorder;
  keys: Pick<Keys, 'bulkImports'>;
};

/** Recognizes the same form, without revealing its password. */
function contentMacOf(ctx: SignUpDeps, body: SignUpBody) {
  return Buffer.from(signValue(ctx.keys.bulkImports, 'account form', JSON.stringify(body)), 'base64url');
}

async function parentOf(ctx: SignUpDeps, body: SignUpBody, hostLabel: string | null): Promise<Organization> {
  const parent = body.org
    ? await ctx.organizations.byId(body.org.id)
    : hostLabel === null
      ? null
      : await ctx.organizations.byHostLabel(hostLabel);
  if (!parent || parent.parentOrganizationId !== null) throw fieldProblem({ org: [words.PARENT_UNKNOWN] });
  return parent;
}

/** Checks before anyone pays; the unique indexes decide. */
async function refuseTaken(ctx: SignUpDeps, email: string, parent: Organization, path: string): Promise<void> {
  const holder = await ctx.database.read(SIGN_UP, (db) => accountsSql.findUserByEmail(db, email));
  if (holder || (await ctx.organizations.hasPath(parent.id, path))) throw problem('invalid', words.ACCOUNT_TAKEN);
}

/** Writes the organization, its user and the payment, and a session for those who sign up themselves. */
async function openWithin(
  ctx: SignUpDeps,
  tx: Writer,
  account: {
    body: SignUpBody;
    parent: Organization;
    plan: AccountPlan;
    payment: SignUpPayment | null;
    passwordHash: string;
    /** An email that asks to confirm the address may be sent. */
    isWelcomed: boolean;
  },
  openedBy: Caller | null,
): Promise<{ userId: number; token: string | null }> {
  const { body, parent, plan, payment, passwordHash, isWelcomed } = account;
  const { first_name, last_name, email, zip, tax_id } = body.user;
  const organizationId = await ctx.organizations.createWithin(tx, {
    kind: 'affiliate',
    name: body.affiliateInfo.affiliateOrg,
    domainName: pathOf(body.affiliateInfo),
    parentOrganizationId: parent.id,
    contactName: `${first_name} ${last_name}`,
    contactEmail: email,
    freeTier: plan.kind === 'free',
    signedUpItself: openedBy === null,
    billingZip: zip || null,
    taxId: tax_id || null,
  });
  const person = { email, firstName: first_name, lastName: last_name, roleId: 1 as const, passwordHash };
  const userId = await accountsSql.insertUser(tx, person);
  await accountsSql.insertAdministrator(tx, userId, [organizationId]);
  if (plan.kind === 'promo')
    await ctx.billing.redeemPromo(tx, { organizationId: parent.id, code: plan.code, redeemedBy: organizationId });
  if (payment !== null) await ctx.billing.bookSignUpPayment(tx, payment, organizationId, userId);
  if (openedBy !== null) {
    await recordOpening(ctx, tx, openedBy, { body, userId, organizationId });
    return { userId, token: null };
  }
  if (isWelcomed) await ctx.proofs.welcomeWithin(tx, { id: userId, email });
  const token = randomToken(32);
  await accountsSql.insertSession(tx, { tokenHash: hashToken(token), userId, days: SESSION_DAYS });
  return { userId, token };
}

/** Logs an admin's action with the form's key; the new user must choose their own password. */
async function recordOpening(
  ctx: SignUpDeps,
  tx: Writer,
  caller: Caller,
  opened: { body: SignUpBody; userId: number; organizationId: number },
): Promise<void> {
  const { actor } = caller;
  const { body, userId, organizationId } = opened;
  // An admin chose the password and may have emailed it (threat D17).
  await accountsSql.requireNewPassword(tx, userId);
  if (body.client_key !== undefined)
    await signUpKeysSql.insertKey(tx, {
      client_key: body.client_key,
      content_mac: contentMacOf(ctx, body),
      user_id: userId,
      opened_by: actor.kind === 'user' ? actor.userId : null,
    });
  await ctx.audit.record(tx, caller, { action: 'account.opened', organizationId, object: ['user', userId] });
}

/** The account that this form opened when it was sent before; null if it has opened none. @throws conflict */
async function openedByForm(ctx: SignUpDeps, body: SignUpBody): Promise<UserAnswer | null> {
  const { client_key: clientKey } = body;
  if (clientKey === undefined) return null;
  const opened = await ctx.database.read(SIGN_UP, (db) => signUpKeysSql.findUserOfKey(db, clientKey));
  if (opened === null) return null;
  const user = await ctx.accounts.describe(opened.userId);
  if (user.email.toLowerCase() !== body.user.email.toLowerCase()) throw problem('conflict', words.FORM_OPENED_ANOTHER);
  if (opened.contentMac && !opened.contentMac.equals(contentMacOf(ctx, body)))
    throw problem('conflict', words.FORM_HAS_CHANGED);
  return user;
}

async function open(ctx: SignUpDeps, caller: Caller, body: SignUpBody, { hostLabel, mustPay }: SignUpSite) {
  const isForOthers = body.bulk_upload === true;
  const isAdmin = isPlatformAdmin(caller.actor);
  if (isForOthers && !isAdmin)
    throw caller.actor.kind === 'visitor'
      ? problem('unauthenticated', LOG_IN_FIRST)
      : problem('forbidden', words.BULK_IS_FOR_ADMINS);
  if (!isForOthers) await ctx.limits.take({ bucket: `signup:${caller.ip}`, limit: FORMS_A_MINUTE, windowSeconds: 60 });

  const parent = await parentOf(ctx, body, hostLabel);
  const cost = costOf(body, { parent, isPlatformAdmin: isAdmin, mustPay });
  if ('errors' in cost) throw fieldProblem(cost.errors);
  const { plan } = cost;
  // "Taken" reveals who has an account here, so it is limited (threat 28).
  const guesses = { bucket: `signup:taken:${caller.ip}`, limit: TAKEN_IN_TEN_MINUTES, windowSeconds: 600 };
  if (!isForOthers) await ctx.limits.take(guesses);
  await refuseTaken(ctx, body.user.email, parent, pathOf(body.affiliateInfo));
  if (!isForOthers) await ctx.limits.refund(guesses);
  if (plan.kind === 'promo' && !(await ctx.billing.promoIsValid(caller, plan.code, parent.id)))
    throw fieldProblem({ promoCode: [PROMO_CODE_NOT_VALID] });

  const passwordHash = await hashPassword(body.user.password);
  const payment =
    plan.kind === 'paid'
      ? await ctx.billing.chargeSignUp(caller, {
          token: plan.token,
          email: body.user.email,
          name: `${body.user.first_name} ${body.user.last_name}`,
          organizationName: body.affiliateInfo.affiliateOrg,
        })
      : null;
  const isWelcomed = !isForOthers && (await ctx.proofs.mayWelcome(caller, body.user.email));
  const account = { body, parent, plan, payment, passwordHash, isWelcomed };
  const { userId, token } = await ctx.database
    .write(SIGN_UP, (tx) => openWithin(ctx, tx, account, isForOthers ? caller : null))
    .catch(async (error: unknown) => {
      if (payment !== null && isRolledBack(error)) await ctx.billing.undoSignUpPayment(payment);
      throw isTaken(error) ? problem('invalid', words.ACCOUNT_TAKEN, { cause: error }) : error;
    });
  return { user: await ctx.accounts.describe(userId), token };
}

/**
 * Opens an account and signs its owner in; `token` is null for accounts that an admin opens for others.
 * @throws invalid with every problem by field, or with `ACCOUNT_TAKEN`; card_refused with the provider's message; too_many;
 * unauthenticated or forbidden for `bulk_upload`; conflict for a form's key that opened another account
 */
export async function signUp(ctx: SignUpDeps, caller: Caller, body: SignUpBody, site: SignUpSite) {
  // Only admins learn what a form opened; for others its key is ignored.
  if (body.bulk_upload !== true || !isPlatformAdmin(caller.actor)) return open(ctx, caller, body, site);
  const before = await openedByForm(ctx, body);
  if (before !== null) return { user: before, token: null };
  return open(ctx, caller, body, site).catch(async (error: unknown) => {
    // The same form twice at the same time: the other request has opened the account.
    const other = isProblem(error) && error.message === words.ACCOUNT_TAKEN ? await openedByForm(ctx, body) : null;
    if (other === null) throw error;
    return { user: other, token: null };
  });
}

export const createSignUpService = (deps: SignUpDeps) => bind(deps, { signUp });

/**
 * Whether the account was certainly not created. After a lost connection that is unknown; the recovery job of `billing` then
 * checks whether the payment was kept, and refunds it if not.
 */
function isRolledBack(error: unknown): boolean {
  return !(isProblem(error) && error.code === 'unavailable');
}
