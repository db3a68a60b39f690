/**
 * Everything that belongs to an athlete by id: photo_tags, entries, athlete_families, athlete_cards, family_consents,
 * watches, photo_exceptions, allowances and passes. A merge moves these rows: add a statement here for every new table
 * with `athlete_id`. Rows of order_families stay, because queries of them follow `merged_into` and the cards.
 */
import { sql, type RawBuilder } from 'kysely';
import type { Consent } from '#src/features/consent/consent.contract.ts';
import type { Reader, Writer } from '#src/platform/db/db.ts';

/** In the lock order of consent, tagging and merging: the organization's settings, then athletes by id. */
export async function lockBoth(tx: Writer, organizationId: number, ids: readonly number[]) {
  await sql`select hold_consent_settings(array[${organizationId}]::bigint[])`.execute(tx);
  const { rows } = await sql<{ id: number; mergedInto: number | null; isNameless: boolean }>`
    select id, merged_into as "mergedInto", nameless_at is not null as "isNameless" from athletes
     where id = any (${ids}::bigint[]) and organization_id = ${organizationId}
     order by id for no key update`.execute(tx);
  return rows;
}

export async function listPhotosOf(db: Reader, athleteIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct photo_id as id from photo_children where athlete_id = any (${athleteIds}::bigint[])`.execute(db);
  return rows.map(({ id }) => id);
}

/** Rows that changed their athlete, by id, and rows that both had, as they were. */
export type Moved = {
  tags: number[];
  sameTags: object[];
  entries: number[];
  sameEntries: object[];
  /** Entries with another number than that of the remaining athlete; absent in older merges. */
  endedEntries?: number[];
  cards: number[];
  familyConsents: number[];
  watches: number[];
  passes: number[];
  exceptions: number[];
  allowances: number[];
  /** Hashes of addresses that were copied to the remaining athlete. */
  emails: string[];
  consent: StoredConsent;
};

/** The consent of an athlete and who said it, so that it can be restored. */
export type StoredConsent = {
  consent: Consent;
  consent_at: string | null;
  consent_by: string | null;
  club_consent: string | null;
};

/** Moves what belongs to `from` to `into`; returns what moved. */
export async function moveAll(tx: Writer, from: number, into: number): Promise<Omit<Moved, 'consent'>> {
  const idsOf = async (statement: RawBuilder<{ id: number }>) => (await statement.execute(tx)).rows.map(({ id }) => id);
  const move = (table: 'athlete_cards' | 'watches' | 'passes') =>
    idsOf(sql`update ${sql.table(table)} set athlete_id = ${into} where athlete_id = ${from} returning id`);
  const sameTags = await sql<{ tag: object }>`
    delete from photo_tags t where t.athlete_id = ${from}
       and exists (select from photo_tags o where o.athlete_id = ${into} and o.photo_id = t.photo_id)
    returning to_jsonb(t) as tag`.execute(tx);
  const tags = await idsOf(sql`
    update photo_tags set athlete_id = ${into} where athlete_id = ${from} returning id`);
  const sameEntries = await sql<{ entry: object }>`
    delete from entries e where e.athlete_id = ${from} and e.left_on is null
       and exists (select from entries o where o.athlete_id = ${into} and o.team_id = e.team_id and o.left_on is null
                     and (e.number is null or o.number = e.number))
    returning to_jsonb(e) as entry`.execute(tx);
  // Photos with only the other number are still this child's.
  const endedEntries = await idsOf(sql`
    update entries e set left_on = greatest((now() at time zone s.time_zone)::date, e.joined_on)
      from organizations s
     where s.id = e.organization_id and e.athlete_id = ${from} and e.left_on is null
       and exists (select from entries o where o.athlete_id = ${into} and o.team_id = e.team_id and o.left_on is null)
    returning e.id`);
  const entries = await idsOf(sql`
    update entries set athlete_id = ${into} where athlete_id = ${from} returning id`);
  const cards = await move('athlete_cards');
  const familyConsents = await idsOf(sql`
    update family_consents f set athlete_id = ${into} where f.athlete_id = ${from}
       and not exists (select from family_consents o where o.athlete_id = ${into} and o.card_id = f.card_id)
    returning f.card_id as id`);
  const exceptions = await idsOf(sql`
    update photo_exceptions x set athlete_id = ${into} where x.athlete_id = ${from}
       and not exists (select from photo_exceptions o where o.athlete_id = ${into} and o.photo_id = x.photo_id)
    returning x.photo_id as id`);
  // What was taken back from one must not be in the way of what the other has.
  await sql`
    delete from allowances o where o.athlete_id = ${into} and o.photos = 0
       and not exists (select from allowance_uses u where u.allowance_id = o.id)`.execute(tx);
  const allowances = await idsOf(sql`
    update allowances w set athlete_id = ${into} where w.athlete_id = ${from}
       and not exists (select from allowances o where o.athlete_id = ${into} and o.sheet_id is not distinct from w.sheet_id)
    returning w.id`);
  // Addresses are copied, so that undoing needs only their hashes.
  const emails = await sql<{ hash: string }>`
    insert into athlete_families (athlete_id, organization_id, email, state, source, at)
    select ${into}, organization_id, email, state, source, at from athlete_families where athlete_id = ${from}
    on conflict (athlete_id, email) do nothing
    returning encode(sha256(lower(email::text)::bytea), 'hex') as hash`.execute(tx);
  return {
    tags,
    sameTags: sameTags.rows.map(({ tag }) => tag),
    entries,
    sameEntries: sameEntries.rows.map(({ entry }) => entry),
    endedEntries,
    cards,
    familyConsents,
    watches: await move('watches'),
    passes: await move('passes'),
    exceptions,
    allowances,
    emails: emails.rows.map(({ hash }) => hash),
  };
}

/** The consent of an athlete, and what `unknown` means in its club. */
export async function readConsent(db: Reader, id: number) {
  const { rows } = await sql<{ kept: StoredConsent; meant: Consent }>`
    select jsonb_build_object('consent', consent, 'consent_at', consent_at, 'consent_by', consent_by, 'club_consent', club_consent) as kept,
           effective_consent('unknown', s.unknown_consent) as meant
      from athletes a left join athlete_settings s on s.organization_id = a.organization_id
     where a.id = ${id}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error(`there is no athlete ${id}`);
  return row;
}

/** A trigger updates photos. */
export async function writeConsent(tx: Writer, id: number, consent: StoredConsent): Promise<void> {
  await sql`
    update athletes a set consent = c.consent, consent_at = c.consent_at, consent_by = c.consent_by, club_consent = c.club_consent
      from json_to_record(${JSON.stringify(consent)}::json) as c (consent text, consent_at timestamptz, consent_by text, club_consent text)
     where a.id = ${id}`.execute(tx);
}

export async function setMergedInto(tx: Writer, id: number, into: number | null): Promise<void> {
  await tx.updateTable('athletes').set({ merged_into: into }).where('id', '=', id).execute();
}

export async function insertMerge(
  tx: Writer,
  merge: { organizationId: number; fromId: number; intoId: number; moved: Moved; userId: number },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into athlete_merges (organization_id, from_id, into_id, moved, by_user)
    values (${merge.organizationId}, ${merge.fromId}, ${merge.intoId}, ${JSON.stringify(merge.moved)}::jsonb, ${merge.userId})
    returning id`.execute(tx);
  return rows[0]?.id ?? 0;
}

export type MergeRow = { id: number; organizationId: number; fromId: number; intoId: number; moved: Moved };

/** The newest merge of an athlete into another one that can be undone. */
export async function findMerge(db: Reader, fromId: number, days: number): Promise<MergeRow | null> {
  const { rows } = await sql<MergeRow>`
    select id, organization_id as "organizationId", from_id as "fromId", into_id as "intoId", moved from athlete_merges
     where from_id = ${fromId} and undone_at is null and at > now() - make_interval(days => ${days})
     order by id desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Whether the remaining athlete's consent changed after the merge, by a new answer or by merging a third athlete. */
export async function hasConsentChanged(db: Reader, mergeId: number): Promise<boolean> {
  const { rows } = await sql`
    select from athlete_merges m join athletes a on a.id = m.into_id
     where m.id = ${mergeId}
       and (a.consent_at > m.at
            or exists (select from athlete_merges n
                        where n.organization_id = m.organization_id and n.into_id = m.into_id and n.id > m.id and n.undone_at is null))`.execute(
    db,
  );
  return rows.length > 0;
}

/** Moves everything back, with what families said since by a card that returns; other additions stay. */
export async function moveBack(tx: Writer, { fromId, intoId, moved }: MergeRow): Promise<void> {
  const back = (table: 'photo_tags' | 'entries' | 'athlete_cards' | 'watches' | 'allowances', ids: readonly number[]) =>
    ids.length === 0
      ? null
      : sql`update ${sql.table(table)} set athlete_id = ${fromId} where id = any (${ids}::bigint[]) and athlete_id = ${intoId}`.execute(
          tx,
        );
  await back('photo_tags', moved.tags);
  await sql`
    insert into photo_tags overriding system value
    select * from json_populate_recordset(null::photo_tags, ${JSON.stringify(moved.sameTags)}::json)
    on conflict do nothing`.execute(tx);
  await back('entries', moved.entries);
  await sql`update entries set left_on = null where id = any (${moved.endedEntries ?? []}::bigint[]) and athlete_id = ${fromId}`.execute(
    tx,
  );
  await sql`
    insert into entries overriding system value
    select * from json_populate_recordset(null::entries, ${JSON.stringify(moved.sameEntries)}::json)
    on conflict do nothing`.execute(tx);
  await back('athlete_cards', moved.cards);
  await back('watches', moved.watches);
  // A pass that was bought since with a card that returns moves with it.
  await sql`
    update passes set athlete_id = ${fromId}
     where athlete_id = ${intoId}
       and (id = any (${moved.passes}::bigint[]) or card_id = any (${moved.cards}::bigint[]))`.execute(tx);
  await back('allowances', moved.allowances);
  await sql`
    update family_consents f set athlete_id = ${fromId}
     where f.athlete_id = ${intoId} and f.card_id = any (${[...moved.familyConsents, ...moved.cards]}::bigint[])
       and not exists (select from family_consents o where o.athlete_id = ${fromId} and o.card_id = f.card_id)`.execute(
    tx,
  );
  await sql`
    update photo_exceptions set athlete_id = ${fromId}
     where athlete_id = ${intoId} and photo_id = any (${moved.exceptions}::bigint[])`.execute(tx);
  await sql`
    delete from athlete_families where athlete_id = ${intoId}
       and encode(sha256(lower(email::text)::bytea), 'hex') = any (${moved.emails}::text[])`.execute(tx);
}

export async function endMerge(tx: Writer, id: number): Promise<void> {
  await sql`update athlete_merges set undone_at = now() where id = ${id}`.execute(tx);
}
