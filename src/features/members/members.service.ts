/**
 * Platform admins see who has access to an organization, give it and remove it; the person is notified by email, and each
 * action is in the audit log. At least one person must always be able to log in.
 */
import type { AccountOpening } from '#src/features/members/account-opening.service.ts';
import * as accountsSql from '#src/features/accounts/accounts.sql.ts';
import type { ApiTokenService } from '#src/features/api-tokens/api-tokens.service.ts';
import { requirePlatformAdmin, requireUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import * as words from '#src/features/members/members.contract.ts';
import type { AddedMember, AddMemberBody, MemberAnswer } from '#src/features/members/members.contract.ts';
import { accessGivenEmail, accessTakenEmail } from '#src/features/members/members.mail.tsx';
import * as membersSql from '#src/features/members/members.sql.ts';
import { MEMBERS_SHOWN } from '#src/features/sign-in/password-changes.service.ts';
import { sendResetJob } from '#src/features/sign-in/passwords.jobs.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import { ORGANIZATION_NOT_FOUND } from '#src/features/tenancy/organizations.contract.ts';
import { isChild, type Organization } from '#src/features/tenancy/organizations.rules.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import type { Writer } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { randomToken } from '#src/platform/secrets.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { bind } from '#src/shared/bind.ts';
import {
  brokenConstraint,
  fieldProblem,
  notFound,
  problem,
  refuseFields,
  type FieldErrors,
} from '#src/shared/problem.ts';
import { HOUR_SECONDS } from '#src/shared/dates.ts';

/** The same as for a forgotten password. */
const EMAILS_AN_HOUR = 10;

export type MemberService = ReturnType<typeof createMembers>;

type Place = Awaited<ReturnType<typeof landingOf>>;

type MembersDeps = Pick<Platform, 'database' | 'jobs' | 'limits' | 'outbox'> & {
  opening: AccountOpening;
  organizations: Pick<OrganizationService, 'byId'>;
  audit: AuditRecorder;
  origin: SiteOrigin;
  /** Revokes the API tokens that someone created where they no longer have access. */
  endTokensOf: ApiTokenService['endOfFormerMaker'];
  /** Disconnects the user's open pages of any gallery when the transaction commits. */
  closePagesOf: (tx: Writer, userId: number) => Promise<void>;
};

async function organizationOf(ctx: MembersDeps, id: number): Promise<Organization> {
  const organization = await ctx.organizations.byId(id);
  if (!organization) throw notFound(ORGANIZATION_NOT_FOUND);
  return organization;
}

async function memberOf(ctx: MembersDeps, organization: Organization, userId: number): Promise<membersSql.MemberRow> {
  const person = await ctx.database.read(accountsSql.PEOPLE, (db) =>
    membersSql.findPerson(db, organization.id, userId),
  );
  if (!person) throw notFound(words.MEMBER_NOT_FOUND);
  return person;
}

function takeEmail(ctx: MembersDeps, email: string) {
  return ctx.limits.take({ bucket: `reset:to:${email}`, limit: EMAILS_AN_HOUR, windowSeconds: HOUR_SECONDS });
}

/** Writes audit log entries about an organization's members. */
function recorder(ctx: MembersDeps, tx: Writer, caller: Caller, organizationId: number) {
  requireUser(caller.actor);
  return (action: string, details: Record<string, number | boolean>) =>
    ctx.audit.record(tx, caller, {
      action: `organization.${action}`,
      organizationId,
      object: ['organization', organizationId],
      details,
    });
}

/** Where its members start, as after a login. */
async function landingOf(ctx: MembersDeps, organization: Organization): Promise<{ label: string; landing: string }> {
  const { domainName, parentOrganizationId } = organization;
  if (!isChild(organization) || parentOrganizationId === null)
    return { label: domainName, landing: `/${domainName}/report` };
  const parent = await organizationOf(ctx, parentOrganizationId);
  return { label: parent.domainName, landing: `/${domainName}/dashboard` };
}

/** Writes the membership, the account if there is none, the email and the log entry; returns the user. */
async function write(
  ctx: MembersDeps,
  tx: Writer,
  caller: Caller,
  { organization, place, body }: { organization: Organization; place: Place; body: AddMemberBody },
): Promise<{ userId: number; isNew: boolean }> {
  const found = await accountsSql.findUserByEmail(tx, body.email);
  const typed = { firstName: body.first_name ?? '', lastName: body.last_name ?? '' };
  const member = found && (await membersSql.findPerson(tx, organization.id, found.id));
  if (member && !member.isInvited) throw hasAccess();
  // An unconfirmed account with this address may be someone else's: treated as if it did not exist (rule 53).
  if (found && found.email_proven_at === null && found.password_hash !== null) {
    refuseNameless(typed);
    return inviteStranger(ctx, tx, caller, {
      organization,
      place,
      person: { userId: found.id, email: body.email, ...typed },
    });
  }
  const names = found ? { firstName: found.first_name, lastName: found.last_name } : typed;
  if (!found) refuseNameless(names);
  else if (member) throw hasAccess();
  const userId =
    found?.id ??
    (await ctx.opening.openWithin(tx, { email: body.email, ...names, passwordHash: null }, organization.id));
  if (found) await accountsSql.insertAdministrator(tx, userId, [organization.id]);
  const to = { userId, email: body.email, firstName: names.firstName };
  // A person without a password is invited (again): only the newest link is valid.
  if (found?.password_hash)
    await ctx.outbox.queueEmail(
      tx,
      accessGivenEmail(to, organization, siteUrl(ctx.origin, place.label, place.landing), `access:${randomToken(12)}`),
    );
  else await ctx.opening.inviteWithin(tx, to, { name: organization.name, ...place }, 0);
  const isNew = found === undefined;
  await recorder(ctx, tx, caller, organization.id)('member_added', { user_id: userId, is_new: isNew });
  return { userId, isNew };
}

type NewMember = { userId: number; email: string; firstName: string; lastName: string };

/** Access starts when the owner of the address chooses a password with the emailed link, which also ends all sessions. */
async function inviteStranger(
  ctx: MembersDeps,
  tx: Writer,
  caller: Caller,
  { organization, place, person }: { organization: Organization; place: Place; person: NewMember },
): Promise<{ userId: number; isNew: boolean }> {
  const { userId, firstName, lastName } = person;
  const invitedBy = requireUser(caller.actor).userId;
  await accountsSql.putInvitation(tx, { userId, organizationId: organization.id, firstName, lastName, invitedBy });
  await ctx.opening.inviteWithin(tx, person, { name: organization.name, ...place }, 0);
  await recorder(ctx, tx, caller, organization.id)('member_invited', { user_id: userId });
  return { userId, isNew: true };
}

/** The first members of an organization, in the order of joining. @throws unauthenticated; forbidden; not_found */
export async function list(ctx: MembersDeps, caller: Caller, id: number): Promise<MemberAnswer[]> {
  requirePlatformAdmin(caller.actor);
  const organization = await organizationOf(ctx, id);
  const people = await ctx.database.read(accountsSql.PEOPLE, (db) =>
    membersSql.listPeople(db, organization.id, MEMBERS_SHOWN),
  );
  return people.map(present);
}

/**
 * Gives someone access as an administrator; a person without an account gets one, with an email to choose a password.
 * @throws unauthenticated; forbidden; not_found; invalid for an existing member, or a new person without a name; too_many
 */
export async function add(ctx: MembersDeps, caller: Caller, id: number, body: AddMemberBody): Promise<AddedMember> {
  requirePlatformAdmin(caller.actor);
  const organization = await organizationOf(ctx, id);
  const place = await landingOf(ctx, organization);
  await takeEmail(ctx, body.email);
  const { userId, isNew } = await ctx.database
    .write(accountsSql.PEOPLE, (tx) => write(ctx, tx, caller, { organization, place, body }))
    .catch((error: unknown) => {
      throw takenProblem(error) ?? error;
    });
  return { ...present(await memberOf(ctx, organization, userId)), is_new: isNew };
}

/**
 * Removes access. The person's next call is refused.
 * @throws unauthenticated; forbidden; not_found for someone who is not a member; conflict for the last one who can sign in
 */
export async function remove(ctx: MembersDeps, caller: Caller, id: number, userId: number): Promise<void> {
  requirePlatformAdmin(caller.actor);
  const organization = await organizationOf(ctx, id);
  const person = await memberOf(ctx, organization, userId);
  await ctx.database.write(accountsSql.PEOPLE, async (tx) => {
    const administrators = await membersSql.lockAdministrators(tx, organization.id);
    if (isLastWhoSignsIn(administrators, userId)) throw problem('conflict', words.LAST_ADMINISTRATOR);
    const wasMember = await membersSql.deleteMembership(tx, organization.id, userId);
    const wasInvited = await accountsSql.deleteInvitation(tx, organization.id, userId);
    if (!wasMember && !wasInvited) throw notFound(words.MEMBER_NOT_FOUND);
    await membersSql.endVisitsOfHomeless(tx, userId);
    await ctx.endTokensOf(tx, caller, userId);
    await ctx.closePagesOf(tx, userId);
    await ctx.outbox.queueEmail(tx, accessTakenEmail(person, organization, `access-taken:${randomToken(12)}`));
    await recorder(ctx, tx, caller, organization.id)('member_removed', { user_id: userId });
  });
}

/** Queues the email. @throws unauthenticated; forbidden; not_found for someone who is not a member; too_many */
export async function sendPasswordEmail(ctx: MembersDeps, caller: Caller, id: number, userId: number): Promise<void> {
  requirePlatformAdmin(caller.actor);
  const organization = await organizationOf(ctx, id);
  const email = (await memberOf(ctx, organization, userId)).email.toLowerCase();
  await takeEmail(ctx, email);
  await ctx.database.write(accountsSql.PEOPLE, async (tx) => {
    await ctx.jobs.enqueue(tx, sendResetJob, { email, sends: true });
    await recorder(ctx, tx, caller, organization.id)('password_letter_sent', { user_id: userId });
  });
}

export const createMembers = (deps: MembersDeps) => bind(deps, { list, add, remove, sendPasswordEmail });

function present(person: membersSql.MemberRow): MemberAnswer {
  return {
    id: person.id,
    first_name: person.firstName,
    last_name: person.lastName,
    email: person.email,
    role: person.role,
    role_id: person.roleId,
    joined_at: person.joinedAt.toISOString(),
    last_sign_in: person.lastSignIn?.toISOString() ?? null,
    is_invited: person.isInvited,
  };
}

/** An invited person without a password does not count as someone who can sign in. */
function isLastWhoSignsIn(administrators: readonly { id: number; hasPassword: boolean }[], userId: number): boolean {
  const leaving = administrators.find(({ id }) => id === userId);
  const others = administrators.filter(({ id }) => id !== userId);
  return leaving !== undefined && !others.some(({ hasPassword }) => hasPassword || !leaving.hasPassword);
}

/** A new account needs both names; all missing ones are reported together. */
function refuseNameless({ firstName, lastName }: { firstName: string; lastName: string }): void {
  const errors: FieldErrors = {};
  if (firstName === '') errors['first_name'] = [words.NEW_PERSON_FIRST_NAME];
  if (lastName === '') errors['last_name'] = [words.NEW_PERSON_LAST_NAME];
  refuseFields(errors);
}

const hasAccess = (cause?: unknown) => fieldProblem({ email: [words.HAS_ACCESS_ALREADY] }, cause);

/** With simultaneous requests the unique indexes decide. */
function takenProblem(error: unknown) {
  const constraint = brokenConstraint(error);
  if (constraint === 'memberships_pkey') return hasAccess(error);
  if (constraint !== 'users_email') return null;
  return problem('conflict', words.OPENED_JUST_NOW, { errors: { email: [words.OPENED_JUST_NOW] }, cause: error });
}
