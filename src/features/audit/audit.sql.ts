/** The table of this room: audit_log. Rows are added and read; a trigger refuses everything else. */
import { sql } from 'kysely';
import type { Json, Schema } from '#src/platform/db/schema.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

export type Deed = {
  /** The signed-in user; null for visitors and for the house's own work. */
  actorId: number | null;
  /** Whose thing it was: this organisation's members may read the entry. Null: platform admins only. */
  organizationId: number | null;
  /** `takedown.decided`: the kind of thing, a dot, what was done in the past tense. */
  action: string;
  objectType: string;
  objectId: string;
  /** Small, and never a secret, an e-mail address or other personal data: entries stay for good. */
  details?: Json;
  /** As `caller.ip` has it. */
  ip?: string | null;
};

export type AuditRow = {
  id: number;
  at: Date;
  actorId: number | null;
  actorName: string | null;
  organizationId: number | null;
  action: string;
  objectType: string;
  objectId: string;
  details: unknown;
  ip: string | null;
};

/** At least one. */
export async function insertDeeds(tx: Writer, deeds: readonly Deed[]): Promise<void> {
  await tx
    .insertInto('audit_log')
    .values(
      deeds.map((deed) => ({
        actor_id: deed.actorId,
        organization_id: deed.organizationId,
        action: deed.action,
        object_type: deed.objectType,
        object_id: deed.objectId,
        details: JSON.stringify(deed.details ?? {}) as Schema['audit_log']['details'] & string,
        ip: deed.ip ?? null,
      })),
    )
    .execute();
}

export type AuditSearch = {
  organizationId: number;
  objectType?: string | undefined;
  objectId?: string | undefined;
  /** Entries with a smaller id. */
  before: number | null;
  limit: number;
};

/** Newest first, by key. */
export async function listDeeds(db: Reader, search: AuditSearch): Promise<AuditRow[]> {
  let query = db
    .selectFrom('audit_log as a')
    .leftJoin('users as u', 'u.id', 'a.actor_id')
    .select([
      'a.id',
      'a.at',
      'a.actor_id as actorId',
      sql<string | null>`u.first_name || ' ' || u.last_name`.as('actorName'),
      'a.organization_id as organizationId',
      'a.action',
      'a.object_type as objectType',
      'a.object_id as objectId',
      'a.details',
      sql<string | null>`a.ip::text`.as('ip'),
    ])
    .where('a.organization_id', '=', search.organizationId)
    .orderBy('a.id', 'desc')
    .limit(search.limit);
  if (search.before !== null) query = query.where('a.id', '<', search.before);
  if (search.objectType !== undefined) query = query.where('a.object_type', '=', search.objectType);
  if (search.objectId !== undefined) query = query.where('a.object_id', '=', search.objectId);
  return query.execute();
}
