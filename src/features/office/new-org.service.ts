/**
 * A platform admin creates a parent organization: its address, its logo, and the account of its contact, who manages it from
 * then on. All of it or nothing; an email gives the contact the address, and never the password.
 */
import { holdersOf, openWithin } from '#src/features/members/account-opening.service.ts';
import { requireAdminUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import {
  EMAIL_HAS_ACCOUNT,
  NEW_ORG_NAME_REQUIRED,
  type NewOrganizationBody,
} from '#src/features/office/new-org.contract.ts';
import { welcomeEmail } from '#src/features/office/new-org.mail.tsx';
import { suggestedHostLabel, personOf } from '#src/features/office/new-org.rules.ts';
import { ROOT_ID } from '#src/features/tenancy/organizations.rules.ts';
import type { OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import type { SettingsPictures } from '#src/features/branding/settings-pictures.service.ts';
import type { Writer } from '#src/platform/db/db.ts';
import type { Platform } from '#src/platform/platform.ts';
import { hashPassword } from '#src/platform/secrets.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { ADDRESS_NOT_AVAILABLE, hostLabelProblems } from '#src/shared/domain-name.ts';
import { bind } from '#src/shared/bind.ts';
import { brokenConstraint, fieldProblem, refuseFields, type FieldErrors } from '#src/shared/problem.ts';

const OFFICE = { kind: 'system', why: 'a platform admin opens an organization that has no people yet' } as const;

type NewOrganizationDeps = Pick<Platform, 'database' | 'outbox'> & {
  organizations: Pick<OrganizationService, 'byId' | 'byHostLabel' | 'createWithin' | 'forget'>;
  pictures: Pick<SettingsPictures, 'take'>;
  audit: AuditRecorder;
  origin: SiteOrigin;
};
export type NewOrganizationService = ReturnType<typeof createNewOrganizations>;

type Prepared = { label: string; logoKey: string | null; passwordHash: string };

async function labelOf(ctx: NewOrganizationDeps, body: NewOrganizationBody, errors: FieldErrors): Promise<string> {
  const { name, domain_name: given } = body.organization;
  const label = given || suggestedHostLabel(name);
  const problems = label === '' ? [NEW_ORG_NAME_REQUIRED] : hostLabelProblems(label);
  if (problems.length > 0) errors[label === '' ? 'name' : 'domain_name'] = problems;
  else if (await ctx.organizations.byHostLabel(label)) errors['domain_name'] = [ADDRESS_NOT_AVAILABLE];
  return label;
}

async function logoOf(ctx: NewOrganizationDeps, userId: number, body: NewOrganizationBody, errors: FieldErrors) {
  const { logo_url: upload } = body.organization;
  if (!upload) return null;
  // Logos of organizations that do not exist yet are uploaded as the main one's, and stored under it.
  const taken = await ctx.pictures.take({ organizationId: ROOT_ID, userId, kind: 'logo' }, upload);
  if ('key' in taken) return taken.key;
  errors['logo_url'] = taken.problems;
  return null;
}

/** All validation happens here, so that the problems of all fields are reported together. */
async function prepare(ctx: NewOrganizationDeps, userId: number, body: NewOrganizationBody): Promise<Prepared> {
  const errors: FieldErrors = {};
  const label = await labelOf(ctx, body, errors);
  const { contact_email: email } = body.organization;
  // Checked before anything is done; the unique index decides.
  const holders = await ctx.database.read(OFFICE, (db) => holdersOf(db, [email]));
  if (holders.size > 0) errors['contact_email'] = [EMAIL_HAS_ACCOUNT];
  const logoKey = await logoOf(ctx, userId, body, errors);
  refuseFields(errors);
  return { label, logoKey, passwordHash: await hashPassword(body.password) };
}

async function write(
  ctx: NewOrganizationDeps,
  tx: Writer,
  caller: Caller,
  body: NewOrganizationBody,
  prepared: Prepared,
): Promise<number> {
  const { name, contact_email: email, contact_name: contactName } = body.organization;
  const { label, logoKey, passwordHash } = prepared;
  const person = personOf(contactName ?? '', name);
  const id = await ctx.organizations.createWithin(tx, {
    kind: 'organization',
    name,
    domainName: label,
    parentOrganizationId: null,
    contactName: contactName || null,
    contactEmail: email,
    freeTier: false,
    logoKey,
  });
  const userId = await openWithin(tx, { ...person, email, passwordHash }, id);
  await ctx.outbox.queueEmail(
    tx,
    welcomeEmail({
      to: { firstName: person.firstName, email },
      organizationName: name,
      address: siteUrl(ctx.origin, label, '/'),
      loginLink: siteUrl(ctx.origin, label, '/login'),
      forgotLink: siteUrl(ctx.origin, label, '/forgot-password'),
      dedupeKey: `welcome:${id}`,
    }),
  );
  await ctx.audit.record(tx, caller, {
    action: 'organization.created',
    organizationId: id,
    object: ['organization', id],
    details: { name, domain_name: label, user_id: userId },
  });
  return id;
}

/**
 * Returns the new organization.
 * @throws unauthenticated; forbidden; invalid with every problem by field, also for taken names and addresses
 */
export async function create(ctx: NewOrganizationDeps, caller: Caller, body: NewOrganizationBody) {
  const { userId } = requireAdminUser(caller.actor);
  const prepared = await prepare(ctx, userId, body);
  const id = await ctx.database
    .write(OFFICE, (tx) => write(ctx, tx, caller, body, prepared))
    .catch((error: unknown) => {
      throw takenProblem(error) ?? error;
    });
  const made = await ctx.organizations.byId(id);
  if (!made) throw new Error(`organization ${id} is gone as soon as it was made`);
  return made;
}

export const createNewOrganizations = (deps: NewOrganizationDeps) => bind(deps, { create });

/** Two simultaneous forms: the database's unique indexes decide, and the error names the field. */
function takenProblem(error: unknown) {
  const constraint = brokenConstraint(error);
  if (constraint === 'users_email') return fieldProblem({ contact_email: [EMAIL_HAS_ACCOUNT] }, error);
  if (constraint === 'organizations_host_label') return fieldProblem({ domain_name: [ADDRESS_NOT_AVAILABLE] }, error);
  return null;
}
