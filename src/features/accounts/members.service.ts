/**
 * Platform admins see who has access to an organisation and send one of them a link to a new password. Who asks for
 * somebody else leaves a line in the audit log.
 */
import { requirePlatformAdmin, requireUser, type Caller } from '#src/features/accounts/actor.rules.ts';
import { MEMBER_NOT_FOUND, type MemberAnswer } from '#src/features/accounts/members.contract.ts';
import * as membersSql from '#src/features/accounts/members.sql.ts';
import { sendResetJob } from '#src/features/accounts/passwords.jobs.ts';
import type { AuditRecorder } from '#src/features/audit/audit.service.ts';
import { ORGANIZATION_NOT_FOUND } from '#src/features/organizations/organizations.contract.ts';
import type { OrganizationService } from '#src/features/organizations/organizations.service.ts';
import type { Database } from '#src/platform/db/db.ts';
import type { Jobs } from '#src/platform/jobs/jobs.ts';
import type { Limits } from '#src/platform/limits/rate-limits.ts';
import { notFound } from '#src/shared/problem.ts';

const PEOPLE = { kind: 'system', why: 'accounts belong to people, not to tenants' } as const;
/** More people than administer any club. */
const MEMBERS_SHOWN = 50;
/** As for whoever forgot the password. */
const LETTERS_AN_HOUR = 10;

export type MemberService = ReturnType<typeof createMembers>;

export function createMembers(deps: {
  database: Database;
  jobs: Pick<Jobs, 'enqueue'>;
  limits: Limits;
  organizations: Pick<OrganizationService, 'byId'>;
  audit: AuditRecorder;
}) {
  const { database, jobs, limits, organizations, audit } = deps;

  async function peopleOf(id: number): Promise<{ organizationId: number; people: membersSql.MemberRow[] }> {
    const organization = await organizations.byId(id);
    if (!organization) throw notFound(ORGANIZATION_NOT_FOUND);
    const people = await database.read(PEOPLE, (db) => membersSql.listPeople(db, organization.id, MEMBERS_SHOWN));
    return { organizationId: organization.id, people };
  }

  return {
    /** The first people of an organisation, in the order of joining. @throws unauthenticated; forbidden; not_found */
    async list(caller: Caller, id: number): Promise<MemberAnswer[]> {
      requirePlatformAdmin(caller.actor);
      const { people } = await peopleOf(id);
      return people.map((person) => ({
        id: person.id,
        first_name: person.firstName,
        last_name: person.lastName,
        email: person.email,
        role: person.role,
        role_id: person.roleId,
        joined_at: person.joinedAt.toISOString(),
        last_sign_in: person.lastSignIn?.toISOString() ?? null,
      }));
    },

    /** Queues the letter. @throws unauthenticated; forbidden; not_found for somebody who does not belong there; too_many */
    async sendPasswordLetter(caller: Caller, id: number, userId: number): Promise<void> {
      requirePlatformAdmin(caller.actor);
      const { organizationId, people } = await peopleOf(id);
      const person = people.find((each) => each.id === userId);
      if (!person) throw notFound(MEMBER_NOT_FOUND);
      const email = person.email.toLowerCase();
      await limits.take({ bucket: `reset:to:${email}`, limit: LETTERS_AN_HOUR, windowSeconds: 3_600 });
      await database.write(PEOPLE, async (tx) => {
        await jobs.enqueue(tx, sendResetJob, { email, sends: true });
        await audit.record(tx, {
          actorId: requireUser(caller.actor).userId,
          organizationId,
          action: 'organization.password_letter_sent',
          objectType: 'organization',
          objectId: String(organizationId),
          details: { user_id: person.id },
          ip: caller.ip,
        });
      });
    },
  };
}
